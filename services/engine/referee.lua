-- The referee: the one script through which everything goes that happens to a hand.
--
-- It does not know which moves the rules allow: the engine judges that in Python, on the layout that it believes the
-- seat to have, and says so. The script decides whether that layout is the seat's, who was first, and writes: event,
-- state and verdict, or nothing. The order of its rules is that of docs/architecture.md, "The referee".
--
-- Lua 5.1, commands of Redis 6.2. Redis does not roll back: all input is checked before the first write, the write that
-- can fail (XADD, with an explicit id) comes first, and the others are kept until the end of the call (`flush`).
--
-- KEYS  1 the hand's hash, 2 its log (stream), 3 the shard's timer index (sorted set), 4 the shard's finished stream
-- ARGV  1 table id, 2 its channel, 3 the present in ms, given only by tests (empty: Redis' TIME), 4 "commands" or the
--       name of a transition, then its arguments. Commands have FIELDS arguments each; there may be several, of any
--       seats of the table; they are judged in order.
-- Returns an array whose first item is the status; for commands, one such array for each.
--
-- THE HAND'S HASH (absent fields are absent, never empty)
--   schema           version of this layout: 1
--   seq, digest      head of the log
--   match, hand      the current hand; seats: how many
--   phase            prepared, dealt, playing, closing, over
--   first, dealt_seq sequence numbers of the hand's `prepare` and `deal` events
--   finished         id of the last ended hand's entry in the finished stream, where it stays until it is counted
--   secret, commitment  the shuffle's secret, public only in the `end` event, and its hash
--   options, info    JSON as in the `deal` event: the rules, and who sits where
--   window           tie_window_ms of the options
--   house            the house rules that matter here, if any: `first_only`, `automatic` (call), `void` (in motion);
--                    `solo` for a game of Aces Up, in which no seat waits for another
--   start_at, closes_at, stuck_at   due times, ms: the timer exists exactly when the field does. The timer index holds
--                    `<table>|<kind>` at that time or earlier, never later
--   frozen           since when an operator holds the table still, ms: every command is refused (`frozen`), and its due
--                    times stand FAR_MS later than they are
--   looks            how often the table was looked at since its last progress or vote
--   asked            1: its seats were asked what to do since its last progress
--   call_seq, call_at, callers   the first call, and the seats credited: `0,2`
--   progress         count of progress (RD-10 a)
--   votes            one character per seat: `.` none, `s` shift, `e` end, `r` replay; absent when there are none
--   heads            suit and height of each foundation, three characters each: `S03H12`
--   F<f>.<rank>      a place taken: `<seq>:<commit ms>:<seat>[,<seat>...]`
--   L<seat>          layout `demon|c0|c1|c2|c3|stock|waste`; of Aces Up, its state
--   E<seat>, N<seat> epoch, last command number
--   V<seat>.<n % 64> kept verdict: `<n>:<status>:<frame>`
--   M<seat>          1: its one movement in motion at the call was used
--   S<seat>          name of the socket that took the seat last; absent: it has none
--   A<seat>          away since, ms; 0: it left
--
-- A COMMAND of a seat: play, move, turn, recycle, call, vote, those of Aces Up, or refuse (illegal on that layout). Its 14 arguments:
local OP, SEAT, EPOCH, N, HAND, SEEN, ARRIVED, BEFORE, AFTER, DETAIL, TARGET, PROGRESS, BODY, SHOWS =
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13
local FIELDS = 14
--   BEFORE  the layout that it was judged on; AFTER the layout if it happens
--   DETAIL  play: the card; vote: s, e, r or w; refuse: the reason
--   TARGET  play: the foundation, or empty for any; vote: the progress count that the player saw
--   PROGRESS  1 if it is progress; `end` if the game is over with it (Aces Up)
--   BODY    its own part of the event, such as `"from":"demon","card":"5H","to":3`; SHOWS the JSON of that field
-- Its answer: {status, frame, again, gap}. Status: applied, tied, late, seen (returned), refused, out_of_order, taken_over,
--   set_back (its epoch was given by a history that is lost);
-- `again` is 1 if it had been judged before; of a contest that was not won, `gap` is how much later than the card that has
-- the place this one reached the edge, ms. Also {stale, layout, options}: judge it again; {unknown, ''}: no such hand;
-- {unavailable, ''}: the log could not be written, or the hand is of a schema that this script does not know.
--
-- A TRANSITION of the system has its own arguments, see each below; {other_version, schema} of a hand that it does not know.

local hand_key, log_key, timers_key, finished_key = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local table_id, channel = ARGV[1], ARGV[2]
local SCHEMA = '1'
local RING = 64
local GRACE_MS = 400
local LOOK_MS, LOOK_MAX_MS = 1000, 5000
local FAR_MS = 10000000000000
local RANKS = 'A23456789TJQK'

local now
if ARGV[3] ~= '' then
  now = tonumber(ARGV[3])
else
  local time = redis.call('TIME')
  now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end

local function whole(number) return string.format('%.0f', number) end
local now_text = whole(now)

-- State: `fields` is the hash as read and changed so far (false: absent), `changed` what is still to be written.
local fields, changed, published = {}, {}, {}

local function load(names)
  local values = redis.call('HMGET', hand_key, unpack(names))
  for i, name in ipairs(names) do fields[name] = values[i] end
end

local function get(name)
  local value = fields[name]
  if value == nil then
    value = redis.call('HGET', hand_key, name)
    fields[name] = value
  end
  return value
end

local function number(name) return tonumber(get(name)) or 0 end

local function set(name, value)
  fields[name] = value
  changed[name] = value
end

local function flush()
  local write, drop = {}, {}
  for name, value in pairs(changed) do
    if value then
      write[#write + 1] = name
      write[#write + 1] = value
    else
      drop[#drop + 1] = name
    end
  end
  if #write > 0 then redis.call('HSET', hand_key, unpack(write)) end
  if #drop > 0 then redis.call('HDEL', hand_key, unpack(drop)) end
  if #published > 0 then redis.call('PUBLISH', channel, table.concat(published, '\n')) end
end

-- Appends the event whose text after `at` is given; its sequence number as text, or nothing if the log could not be
-- written.
local function append(text)
  local seq = whole(number('seq') + 1)
  local body = '{"seq":' .. seq .. ',"at":' .. now_text .. ',' .. text
  local digest = string.sub(redis.sha1hex((get('digest') or '') .. body), 1, 16)
  local event = body .. ',"digest":"' .. digest .. '"}'
  local added = redis.pcall('XADD', log_key, seq .. '-0', 'e', event)
  if type(added) == 'table' and added.err then
    -- Nothing has been written. Said aloud, so that the engine looks for the primary instead of asking here again.
    if string.find(added.err, 'READONLY', 1, true) then error(added.err) end
    return nil
  end
  published[#published + 1] = event
  set('seq', seq)
  set('digest', digest)
  return seq
end

local function timer(kind, due)
  set(kind .. '_at', due and whole(due) or false)
  if due then
    redis.call('ZADD', timers_key, whole(due), table_id .. '|' .. kind)
  else
    redis.call('ZREM', timers_key, table_id .. '|' .. kind)
  end
end

local function holds(seats, seat)
  return string.find(',' .. seats .. ',', ',' .. seat .. ',', 1, true) ~= nil
end

local function house(rule) return string.find(get('house') or '', rule, 1, true) ~= nil end

local function slot(foundation, rank)
  local text = get('F' .. foundation .. '.' .. rank)
  local seq, at, seats = string.match(text or '', '^(%d+):(%d+):([%d,]+)$')
  return { seq = tonumber(seq) or 0, at = tonumber(at) or 0, seats = seats or '' }
end

-- COMMANDS ------------------------------------------------------------------------------------------------------------

local function keep(seat, n, status, rest)
  local frame = '{"t":"verdict","n":' .. n .. ',"v":' .. rest .. '}'
  set('V' .. seat .. '.' .. (tonumber(n) % RING), n .. ':' .. status .. ':' .. frame)
  return { status, frame, 0 }
end

local function refused(seat, n, reason) return keep(seat, n, 'refused', '"refused","why":"' .. reason .. '"') end

-- Where the card goes (rule 7). Returns the foundation and, for a shared or lost place, its slot; or a reason.
local function place(arg, seat, seen, arrived)
  local rank, suit = string.find(RANKS, string.sub(arg(DETAIL), 1, 1), 1, true), string.sub(arg(DETAIL), 2, 2)
  local target, heads = tonumber(arg(TARGET)), get('heads') or ''
  local count = #heads / 3
  if rank == 1 then
    if target then return { reason = 'no_place' } end
    return { how = 'free', foundation = count, rank = 1, opens = suit }
  end
  local from, to = 0, count - 1
  if target then from, to = target, math.min(target, count - 1) end
  local reached, shared, lost, ties = false, nil, nil, not house('first_only')
  for foundation = from, to do
    local head = string.sub(heads, foundation * 3 + 1, foundation * 3 + 3)
    local height = tonumber(string.sub(head, 2, 3))
    if string.sub(head, 1, 1) == suit and height >= rank - 1 then
      reached = true
      local below = slot(foundation, rank - 1)
      if below.seq <= seen or holds(below.seats, seat) then
        if height == rank - 1 then return { how = 'free', foundation = foundation, rank = rank } end
        local taken = slot(foundation, rank)
        taken.foundation = foundation
        if ties and seen < taken.seq and arrived <= taken.at + number('window') then
          shared = shared or taken
        elseif not lost or taken.seq > lost.seq then
          lost = taken
        end
      end
    end
  end
  local taken = shared or lost
  if not taken then return { reason = reached and 'unseen' or 'no_place' } end
  return { how = shared and 'shared' or 'lost', foundation = taken.foundation, rank = rank, taken = taken }
end

local function progressed()
  set('progress', whole(number('progress') + 1))
  if get('votes') then set('votes', false) end
  if get('looks') then set('looks', false) end
  if get('asked') then set('asked', false) end
  -- The index may stay earlier than the field: the look that it causes puts it right. That saves a write per play.
  if get('stuck_at') then set('stuck_at', whole(now + LOOK_MS)) end
end

local function voted(seat, choice)
  local votes = get('votes') or string.rep('.', number('seats'))
  votes = string.sub(votes, 1, seat) .. (choice == 'w' and '.' or choice) .. string.sub(votes, seat + 2)
  set('votes', votes)
  if get('stuck_at') then
    set('looks', false)
    timer('stuck', now)
  end
end

-- The call of a seat, whose event has that number: the first one closes the hand at that time.
local function called(seat, seq, closes_at)
  if get('phase') == 'closing' then
    set('callers', get('callers') .. ',' .. seat)
    return
  end
  set('phase', 'closing')
  set('call_seq', seq)
  set('call_at', now_text)
  set('callers', seat)
  timer('stuck', nil)
  timer('closes', closes_at)
end

local function command(arg)
  local op, seat, n = arg(OP), arg(SEAT), arg(N)
  local last, hand_seen, seen, arrived = nil, tonumber(arg(HAND)), tonumber(arg(SEEN)), tonumber(arg(ARRIVED))
  if not (tonumber(seat) and tonumber(n) and hand_seen and seen and arrived) then return { 'bad', '' } end
  arrived = math.min(arrived, now)
  -- 1, 2: whose command, which number
  local epoch = tonumber(get('E' .. seat) or -1)
  if tonumber(arg(EPOCH)) ~= epoch then
    local status = tonumber(arg(EPOCH)) > epoch and 'set_back' or 'taken_over'
    return { status, '{"t":"verdict","n":' .. n .. ',"v":"' .. status .. '"}', 0 }
  end
  last = number('N' .. seat)
  if tonumber(n) <= last then
    local kept_n, status, frame = string.match(get('V' .. seat .. '.' .. (tonumber(n) % RING)) or '', '^(%d+):(%a+):(.*)$')
    if kept_n == n then return { status, frame, 1 } end
    return { 'refused', '{"t":"verdict","n":' .. n .. ',"v":"refused","why":"forgotten"}', 1 }
  end
  if tonumber(n) > last + 1 then
    return { 'out_of_order', '{"t":"verdict","n":' .. n .. ',"v":"out_of_order","last":' .. whole(last) .. '}', 0 }
  end
  -- 3: the layout that it was judged on
  local layout = get('L' .. seat) or ''
  if arg(BEFORE) ~= layout then return { 'stale', layout, get('options') or '' } end
  -- 4 to 6: is there a hand to play, is it legal, is it in motion
  local phase, reason, closing = get('phase'), nil, false
  if hand_seen ~= number('hand') then
    reason = 'wrong_hand'
  elseif phase == 'prepared' or phase == 'dealt' then
    reason = 'not_started'
  elseif phase == 'over' then
    reason = 'hand_over'
  elseif get('frozen') then
    reason = 'frozen'
  elseif op == 'refuse' then
    reason = arg(DETAIL)
  elseif phase == 'closing' then
    closing = true
    local in_motion = not house('void') and seen < number('call_seq') and arrived <= number('call_at') + number('window')
    if op == 'call' then
      if not in_motion or holds(get('callers'), seat) then reason = 'already_called' end
    elseif not in_motion then
      reason = 'hand_over'
    elseif holds(get('callers'), seat) or get('M' .. seat) then
      reason = 'one_hand'
    end
  end
  -- 7 to 9
  local where
  if not reason and op == 'play' then
    where = place(arg, seat, seen, arrived)
    reason = where.reason
  elseif not reason and op == 'vote' and tonumber(arg(TARGET)) ~= number('progress') then
    reason = 'progress_since'
  end
  if reason then
    set('N' .. seat, n)
    return refused(seat, n, reason)
  end
  -- 10: it happens. First the event.
  local head = ',"seat":' .. seat .. ',"n":' .. n .. ',"seen":' .. arg(SEEN) .. ',"arrived":' .. arg(ARRIVED)
  local body = head
  if arg(BODY) ~= '' then body = body .. ',' .. arg(BODY) end
  -- Only a command that calls, by itself or by emptying a demon, asks for these.
  local automatic = house('automatic') and string.sub(arg(AFTER), 1, 1) == '|' and string.sub(layout, 1, 1) ~= '|'
  local closes_at, call
  if op == 'call' or automatic then
    closes_at = closing and number('closes_at') or house('void') and now or now + number('window') + GRACE_MS
    call = '"e":"call"' .. head .. ',"closes_at":' .. whole(closes_at)
  end
  if where and where.how == 'lost' then
    local why = seen < where.taken.seq and 'late' or 'seen'
    body = '"e":"return"' .. body .. ',"f":' .. where.foundation .. ',"rank":' .. where.rank .. ',"why":"' .. why
      .. '","first":[' .. where.taken.seats .. '],"gap":' .. whole(math.max(0, arrived - where.taken.at))
    where.why = why
  elseif where then
    body = '"e":"play"' .. body .. ',"shows":' .. arg(SHOWS) .. ',"f":' .. where.foundation .. ',"rank":' .. where.rank
      .. ',"tie":' .. tostring(where.how == 'shared')
  elseif op == 'call' then
    body = call
  else
    body = '"e":"' .. op .. '"' .. body
    if arg(SHOWS) ~= '' then body = body .. ',"shows":' .. arg(SHOWS) end
  end
  local seq = append(body)
  if not seq then return { 'unavailable', '' } end
  -- Then the state.
  set('N' .. seat, n)
  if closing and op ~= 'call' then set('M' .. seat, '1') end
  if where and where.how == 'lost' then
    local answer = keep(seat, n, where.why, '"returned","seq":' .. seq .. ',"why":"' .. where.why .. '"')
    answer[4] = math.max(0, arrived - where.taken.at)
    return answer
  end
  if arg(AFTER) ~= layout then set('L' .. seat, arg(AFTER)) end
  if where then
    local name = 'F' .. where.foundation .. '.' .. where.rank
    if where.how == 'shared' then
      local taken = where.taken
      set(name, whole(taken.seq) .. ':' .. whole(taken.at) .. ':' .. taken.seats .. ',' .. seat)
    else
      local heads = get('heads') or ''
      set(name, seq .. ':' .. now_text .. ':' .. seat)
      set('heads', string.sub(heads, 1, where.foundation * 3)
        .. (where.opens or string.sub(heads, where.foundation * 3 + 1, where.foundation * 3 + 1))
        .. string.format('%02d', where.rank) .. string.sub(heads, where.foundation * 3 + 4))
    end
  elseif op == 'vote' then
    voted(tonumber(seat), arg(DETAIL))
  elseif op == 'call' then
    called(seat, seq, closes_at)
  end
  if arg(PROGRESS) == '1' then
    progressed()
  elseif arg(PROGRESS) == 'end' then
    set('phase', 'closing')
    timer('closes', now)
  end
  -- The demon is empty, and that is the call. Where the first event could be written, so can the second.
  if automatic then
    called(seat, append(call), closes_at)
  end
  local verdict = '"applied","seq":' .. seq
  if not where then return keep(seat, n, 'applied', verdict) end
  if where.how == 'shared' then
    local answer = keep(seat, n, 'tied', '"tied","seq":' .. seq .. ',"f":' .. where.foundation)
    answer[4] = math.max(0, arrived - where.taken.at)
    return answer
  end
  return keep(seat, n, 'applied', verdict .. ',"f":' .. where.foundation)
end

-- TRANSITIONS ---------------------------------------------------------------------------------------------------------

local function running(phase) return phase == 'dealt' or phase == 'playing' or phase == 'closing' end

-- Made only when one is wanted, for commands are in a hurry. Each takes a function that gives its i-th argument.
local function make_transitions()
  local transitions = {}

  -- match, hand, seats, secret, commitment, event. {ok, commitment} or {running}.
  function transitions.prepare(arg)
    if get('match') == arg(1) and get('hand') == arg(2) then return { 'ok', get('commitment') } end
    if running(get('phase')) then return { 'running' } end
    local previous = get('first')
    local seq = append(arg(6))
    if not seq then return { 'unavailable' } end
    for _, name in ipairs(redis.call('HKEYS', hand_key)) do
      if string.find(name, '^[FLM]%d') then set(name, false) end
    end
    for _, name in ipairs({ 'dealt_seq', 'options', 'info', 'window', 'house', 'looks', 'asked', 'call_seq', 'call_at', 'callers', 'votes', 'heads' }) do
      if get(name) then set(name, false) end
    end
    for _, kind in ipairs({ 'start', 'closes', 'stuck' }) do
      if get(kind .. '_at') then timer(kind, nil) end
    end
    for seat = 0, tonumber(arg(3)) - 1 do
      if not get('E' .. seat) and not get('A' .. seat) then set('A' .. seat, now_text) end
    end
    set('schema', SCHEMA)
    set('match', arg(1))
    set('hand', arg(2))
    set('seats', arg(3))
    set('secret', arg(4))
    set('commitment', arg(5))
    set('phase', 'prepared')
    set('progress', '0')
    set('first', seq)
    -- The log keeps the last finished hand and this one.
    if previous then redis.call('XTRIM', log_key, 'MINID', previous .. '-0') end
    return { 'ok', arg(5) }
  end

  -- match, hand, options, info, window, countdown, layouts joined by "/", the event before and after `start_at`, house.
  -- {ok, seq}, {not_prepared} or {running}.
  function transitions.deal(arg)
    local phase = get('phase')
    local current = get('match') == arg(1) and get('hand') == arg(2)
    if current and phase ~= 'prepared' then return { 'ok', get('dealt_seq') or '0' } end
    if not current then return { running(phase) and 'running' or 'not_prepared' } end
    local start_at = now + tonumber(arg(6))
    local seq = append(arg(8) .. whole(start_at) .. arg(9))
    if not seq then return { 'unavailable' } end
    local seat = 0
    for layout in string.gmatch(arg(7), '[^/]+') do
      set('L' .. seat, layout)
      seat = seat + 1
    end
    set('options', arg(3))
    set('info', arg(4))
    set('window', arg(5))
    set('house', arg(10) ~= '' and arg(10) or false)
    set('phase', 'dealt')
    set('dealt_seq', seq)
    timer('start', get('frozen') and start_at + FAR_MS - (now - number('frozen')) or start_at)
    return { 'ok', seq }
  end

  -- The countdown is over. {ok}, or {no} if there is none or it is too early.
  function transitions.start()
    local due = tonumber(get('start_at'))
    if get('phase') ~= 'dealt' or not due or now < due then
      if not due then redis.call('ZREM', timers_key, table_id .. '|start') end
      return { 'no' }
    end
    if not append('"e":"start","hand":' .. get('hand')) then return { 'unavailable' } end
    set('phase', 'playing')
    timer('start', nil)
    if not house('solo') then timer('stuck', now + LOOK_MS) end
    return { 'ok' }
  end

  -- seq of the state that it was computed from, event, new layouts joined by "/". {ok}, or {no} if the state moved on.
  function transitions.shift(arg)
    if get('phase') ~= 'playing' or get('frozen') or get('seq') ~= arg(1) then return { 'no' } end
    if not append(arg(2)) then return { 'unavailable' } end
    local seat = 0
    for layout in string.gmatch(arg(3), '[^/]+') do
      set('L' .. seat, layout)
      seat = seat + 1
    end
    set('votes', false)
    set('looks', false)
    set('asked', false)
    timer('stuck', now + LOOK_MS)
    return { 'ok' }
  end

  -- the progress count of the state that it was computed from, event. {ok}, or {no} if there was progress since.
  function transitions.ask(arg)
    if get('phase') ~= 'playing' or get('frozen') or get('progress') ~= arg(1) or get('asked') then return { 'no' } end
    if not append(arg(2)) then return { 'unavailable' } end
    set('asked', '1')
    return { 'ok' }
  end

  -- The `end` event and, in the same breath, the entry that scoring waits for.
  -- seq of the state that it was computed from, event, why. {ok}, or {no} if the state moved on or it is too early.
  transitions['end'] = function(arg)
    local phase, why = get('phase'), arg(3)
    if phase == 'over' or get('seq') ~= arg(1) then return { 'no' } end
    if why == 'called' and (phase ~= 'closing' or now < number('closes_at')) then return { 'no' } end
    if (why == 'dead' or why == 'blocked' or why == 'agreed' or why == 'disputed') and (phase ~= 'playing' or get('frozen')) then
      return { 'no' }
    end
    local seq = append(arg(2))
    if not seq then return { 'unavailable' } end
    set('phase', 'over')
    for _, kind in ipairs({ 'start', 'closes', 'stuck' }) do timer(kind, nil) end
    set('finished', redis.call('XADD', finished_key, '*', 'table', table_id, 'match', get('match'), 'hand', get('hand'),
      'first', get('first'), 'last', seq))
    return { 'ok' }
  end

  -- 1 to hold the table still, empty to let it go on: then what was due is due as much later as it stood still. {ok}.
  function transitions.freeze(arg)
    local since, freeze = tonumber(get('frozen')), arg(1) == '1'
    if (since ~= nil) == freeze then return { 'ok' } end
    local later = freeze and FAR_MS or now - since - FAR_MS
    for _, kind in ipairs({ 'start', 'closes', 'stuck' }) do
      local due = tonumber(get(kind .. '_at'))
      if due then timer(kind, due + later) end
    end
    set('frozen', freeze and now_text or false)
    return { 'ok' }
  end

  -- seat, the verdicts after which number are wanted, the socket's name or nothing. {ok, epoch, last n, frame...} or {unknown_seat}.
  function transitions.attach(arg)
    local seat = arg(1)
    if tonumber(seat) >= number('seats') then return { 'unknown_seat' } end
    local epoch, last = number('E' .. seat) + 1, number('N' .. seat)
    set('E' .. seat, whole(epoch))
    set('S' .. seat, arg(3) ~= '' and arg(3))
    set('A' .. seat, false)
    local answer = { 'ok', whole(epoch), whole(last) }
    for n = math.max(tonumber(arg(2)) + 1, last - RING + 1, 1), last do
      local kept = string.match(get('V' .. seat .. '.' .. (n % RING)) or '', '^' .. whole(n) .. ':%a+:(.*)$')
      if kept then answer[#answer + 1] = kept end
    end
    return answer
  end

  -- seat, epoch or 0, 1 if the player left for good, the socket's name or nothing. {ok}, or {taken_over} if a later socket
  -- has the seat and is not gone, {no_socket} if none ever had it, or {unknown_seat}. Who does not know its epoch, since the
  -- answer to its attach was lost, is known by its name. An epoch that is higher than the seat's is of a history that is
  -- lost: whether another socket came since is not known.
  function transitions.detach(arg)
    local seat = arg(1)
    if tonumber(seat) >= number('seats') then return { 'unknown_seat' } end
    local epoch, gone, since = number('E' .. seat), tonumber(arg(2)), get('A' .. seat)
    if gone == 0 and get('S' .. seat) == arg(4) then gone = epoch end
    if epoch > gone then return { since and 'ok' or 'taken_over' } end
    if epoch == gone and since ~= '0' then set('A' .. seat, arg(3) == '1' and '0' or now_text) end
    return { gone == 0 and 'no_socket' or 'ok' }
  end

  -- The whole state in one atomic read: {ok, now, name, value, ...}. For a timer (closes or stuck) only if it is due, else
  -- {no}, and the index is put right. A stuck look sets the next one down before it begins: none is lost with an engine.
  function transitions.look(arg)
    local kind = arg(1)
    if kind ~= '' then
      local due = tonumber(get(kind .. '_at'))
      if not due then
        redis.call('ZREM', timers_key, table_id .. '|' .. kind)
        return { 'no' }
      end
      if now < due then
        redis.call('ZADD', timers_key, whole(due), table_id .. '|' .. kind)
        return { 'no' }
      end
    end
    if kind == 'stuck' then
      local looks = number('looks')
      set('looks', whole(looks + 1))
      timer('stuck', now + math.min(LOOK_MS * 2 ^ math.min(looks, 10), LOOK_MAX_MS))
    end
    local names = { 'schema', 'seq', 'digest', 'match', 'hand', 'seats', 'phase', 'first', 'dealt_seq', 'secret', 'commitment',
      'options', 'info', 'window', 'start_at', 'closes_at', 'stuck_at', 'call_seq', 'call_at', 'callers', 'progress',
      'votes', 'heads', 'looks', 'asked', 'frozen' }
    for seat = 0, number('seats') - 1 do
      for _, kind in ipairs({ 'L', 'E', 'N', 'M', 'A' }) do names[#names + 1] = kind .. seat end
    end
    local heads = get('heads') or ''
    for foundation = 0, #heads / 3 - 1 do
      for rank = 1, tonumber(string.sub(heads, foundation * 3 + 2, foundation * 3 + 3)) do
        names[#names + 1] = 'F' .. foundation .. '.' .. rank
      end
    end
    flush()
    changed, published = {}, {}
    local values = redis.call('HMGET', hand_key, unpack(names))
    local answer = { 'ok', now_text }
    for i, name in ipairs(names) do
      if values[i] then
        answer[#answer + 1] = name
        answer[#answer + 1] = values[i]
      end
    end
    return answer
  end

  -- Deletes every key of the table. {ok}, {running}, or {uncounted}: the log of its last hand is still to be read.
  function transitions.forget()
    if running(get('phase')) then return { 'running' } end
    local finished = get('finished')
    if finished and #redis.call('XRANGE', finished_key, finished, finished) > 0 then return { 'uncounted' } end
    redis.call('DEL', hand_key, log_key)
    redis.call('ZREM', timers_key, table_id .. '|start', table_id .. '|closes', table_id .. '|stuck')
    fields, changed, published = {}, {}, {}
    return { 'ok' }
  end

  return transitions
end

-- THE CALL ------------------------------------------------------------------------------------------------------------

local function commands()
  local names = { 'schema', 'seq', 'digest', 'hand', 'phase', 'window', 'house', 'heads', 'progress', 'votes', 'looks', 'asked', 'stuck_at', 'frozen' }
  local listed = {}
  for base = 5, #ARGV, FIELDS do
    local seat = ARGV[base + SEAT]
    if not listed[seat] then
      listed[seat] = true
      names[#names + 1] = 'L' .. seat
      names[#names + 1] = 'E' .. seat
      names[#names + 1] = 'N' .. seat
    end
  end
  load(names)
  local answers, behind, base = {}, {}, 5
  local function arg(i) return ARGV[base + i] end
  while base <= #ARGV do
    local seat, answer = arg(SEAT), nil
    if not fields.seq then
      answer = { 'unknown', '' }
    elseif fields.schema ~= SCHEMA then
      -- A newer release's: its engines can judge it, this script would spoil it.
      answer = { 'unavailable', '' }
    elseif behind[seat] then
      -- An earlier command of the seat was not decided: this one keeps its place behind it.
      answer = behind[seat]
    else
      answer = command(arg)
      if answer[1] == 'stale' or answer[1] == 'unavailable' then behind[seat] = answer end
    end
    answers[#answers + 1] = answer
    base = base + FIELDS
  end
  return answers
end

local answer
if ARGV[4] == 'commands' then
  answer = commands()
elseif get('seq') and get('schema') ~= SCHEMA then
  answer = { 'other_version', get('schema') or '' }
elseif ARGV[4] == 'prepare' or get('seq') then
  answer = make_transitions()[ARGV[4]](function(i) return ARGV[4 + i] end)
else
  -- No timer outlives its table, though mending the index may have entered one just when the table was forgotten.
  redis.call('ZREM', timers_key, table_id .. '|start', table_id .. '|closes', table_id .. '|stuck')
  answer = { 'unknown' }
end
flush()
return answer
