// The first page: public tables, and any of them watched live over the table socket (docs/protocol.md).

const SUITS = { S: "♠", H: "♥", D: "♦", C: "♣" };
const BACKS = ["#2563eb", "#b91c1c", "#a16207", "#7e22ce", "#0f766e", "#be185d", "#4d7c0f", "#374151"];
const STATES = { open: "waiting", playing: "playing", between: "between hands", ended: "match over", closed: "closed" };
const PHASES = { prepared: "getting ready", dealt: "counting down", playing: "playing", closing: "called!", over: "hand over" };
const LISTED_EVERY_MS = 2000;
const FINAL_CODES = new Set([1000, 4004, 4010]);

const $ = (id) => document.getElementById(id);

function make(tag, className, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

// ---- What a watcher knows of a table ----

/** The view after a snapshot frame. */
function fromSnapshot(s) {
  return {
    seq: s.seq, digest: s.digest, phase: s.phase, hand: s.hand, callers: [...(s.callers ?? [])], away: [...(s.away ?? [])],
    seats: (s.seats ?? []).map((seat) => ({ ...seat, columns: seat.columns.map((column) => [...column]) })),
    foundations: (s.foundations ?? []).map((f) => ({ suit: f.suit, ranks: f.ranks.map((seats) => [...seats]) })),
    scores: null,
  };
}

const EMPTY = () => fromSnapshot({ seq: 0, digest: "", phase: "prepared", hand: 0 });

function takeFrom(seat, e) {
  if (e.from === "demon") { seat.demon -= 1; seat.top = e.shows; return [e.card]; }
  if (e.from === "waste") { seat.waste -= 1; seat.waste_top = e.shows; return [e.card]; }
  return seat.columns[Number(e.from[1])].splice(-(e.count ?? 1));
}

/** Moves the view on by one event. */
function apply(view, e) {
  const seat = e.seat === undefined ? null : view.seats[e.seat];
  const kinds = {
    prepare() { view.phase = "prepared"; view.hand = e.hand; },
    deal() {
      view.phase = "dealt"; view.hand = e.hand; view.callers = []; view.foundations = []; view.scores = null;
      view.seats = e.layouts.map((l) => ({
        demon: l.demon, top: l.top, columns: l.columns.map((card) => [card]), stock: l.stock, waste: 0, waste_top: null,
      }));
    },
    start() { view.phase = "playing"; },
    move() { const cards = takeFrom(seat, e); seat.columns[Number(e.to[1])].push(...cards); },
    turn() { seat.stock -= e.count; seat.waste += e.count; seat.waste_top = e.shows; },
    recycle() { seat.stock = e.count; seat.waste = 0; seat.waste_top = null; },
    play() {
      takeFrom(seat, e);
      view.foundations[e.f] ??= { suit: e.card[1], ranks: [] };
      (view.foundations[e.f].ranks[e.rank - 1] ??= []).push(e.seat);
    },
    call() { view.phase = "closing"; view.callers.push(e.seat); },
    shift() { for (const each of view.seats) { each.stock += each.waste; each.waste = 0; each.waste_top = null; } },
    end() { view.phase = "over"; view.scores = e.scores; },
  };
  kinds[e.e]?.();
  view.seq = e.seq;
  view.digest = e.digest;
}

/** One line of what happened, or null for what is too small to tell. */
function tell(e, name) {
  const where = (f) => `foundation ${f + 1}`;
  switch (e.e) {
    case "deal": return `Hand ${e.hand} is dealt`;
    case "start": return "Go!";
    case "play": return `${name(e.seat)}: ${show(e.card)} to ${where(e.f)}${e.tie ? ", beside another" : ""}`;
    case "return": return `${name(e.seat)}: ${show(e.card)} came too late and goes back (${e.gap} ms)`;
    case "call": return `${name(e.seat)} calls: Demon!`;
    case "shift": return "Nobody can go on: every stock is shifted";
    case "end": return `The hand is over (${e.why})`;
    default: return null;
  }
}

const show = (card) => (card[0] === "T" ? "10" : card[0]) + SUITS[card[1]];

// ---- Drawing ----

function cardOf(card) {
  if (!card) return make("div", "card none");
  const element = make("div", "HD".includes(card[1]) ? "card red" : "card", show(card));
  element.setAttribute("aria-label", show(card));
  return element;
}

function back(index) {
  const letter = make("span", "letter", String.fromCharCode(65 + index));
  letter.style.setProperty("--back", BACKS[index]);
  return letter;
}

function pile(label, card) {
  const element = make("div", "pile");
  element.append(card, make("span", "", label));
  return element;
}

function drawSeat(seat, index, info, view) {
  const element = make("article", "seat");
  element.style.setProperty("--back", BACKS[index]);
  element.classList.toggle("called", view.callers.includes(index));
  element.classList.toggle("away", Boolean(info) && Boolean(info.player) && !info.present && !info.bot);
  const title = make("h3");
  title.append(back(index), make("span", "name", info?.name || "free seat"));
  const notes = [info?.bot && "bot", info?.ready && view.phase !== "playing" && "ready", view.callers.includes(index) && "called"];
  title.append(make("span", "note", notes.filter(Boolean).join(" · ")));
  element.append(title);
  if (!seat) return element;
  const piles = make("div", "piles");
  const hidden = make("div", seat.stock ? "card back" : "card none");
  piles.append(
    pile(`demon ${seat.demon}`, cardOf(seat.demon ? seat.top : null)),
    pile(`stock ${seat.stock}`, hidden),
    pile(`waste ${seat.waste}`, cardOf(seat.waste ? seat.waste_top : null)),
  );
  const columns = make("div", "columns");
  for (const cards of seat.columns) {
    const column = make("div", "column");
    column.append(...cards.map(cardOf));
    columns.append(column);
  }
  element.append(piles, columns);
  return element;
}

function drawFoundation(f, index, fresh) {
  const element = make("div", "foundation");
  const rank = f.ranks.length;
  element.append(cardOf("A23456789TJQK"[rank - 1] + f.suit));
  const who = make("div", "who");
  who.append(...f.ranks[rank - 1].map(back));
  element.append(who);
  if (index === fresh) element.classList.add("fresh");
  return element;
}

function onFoundations(view, index) {
  return view.foundations.reduce((sum, f) => sum + f.ranks.filter((seats) => seats?.includes(index)).length, 0);
}

function draw(watch) {
  const { view, table } = watch;
  const infos = table?.seats ?? [];
  $("phase").textContent = watch.paused ? "paused" : table?.state === "open" ? "waiting for players" : PHASES[view.phase] ?? "";
  $("hand").textContent = view.hand ? `hand ${view.hand}` : "";
  $("foundations").replaceChildren(...view.foundations.map((f, i) => drawFoundation(f, i, watch.fresh)));
  const count = Math.max(infos.length, view.seats.length);
  const seats = Array.from({ length: count }, (_, i) => drawSeat(view.seats[i], i, infos[i], view));
  seats[watch.bounced]?.classList.add("bounce");
  $("seats").replaceChildren(...seats);
  const rows = Array.from({ length: count }, (_, i) => {
    const row = make("tr");
    const name = make("td", "", "");
    name.append(back(i), ` ${infos[i]?.name || "–"}`);
    const counted = view.scores?.find((score) => score.seat === i)?.points;
    const now = view.seats[i] ? onFoundations(view, i) - 2 * (view.callers.includes(i) ? 0 : view.seats[i].demon) : 0;
    row.append(name, make("td", "", String(counted ?? now)), make("td", "", String(infos[i]?.total ?? 0)));
    return row;
  });
  document.querySelector("#score tbody").replaceChildren(...rows);
  watch.fresh = watch.bounced = undefined;
}

// ---- Watching ----

class Watch {
  constructor(id) {
    this.id = id;
    this.view = EMPTY();
    this.table = null;
    this.paused = false;
    this.retries = 0;
    this.drawing = false;
    $("log").replaceChildren();
    this.connect();
  }

  connect() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/v1/tables/${this.id}/socket`, "pandemonium.v1");
    this.socket = socket;
    const { seq, digest } = this.view;
    socket.onopen = () => socket.send(JSON.stringify({ t: "attach", seat: false, after: seq ? { seq, digest } : null, n: 0 }));
    socket.onmessage = (message) => this.receive(JSON.parse(message.data));
    socket.onclose = (closed) => this.closed(closed.code);
  }

  receive(frame) {
    if (frame.e) this.event(frame);
    else if (frame.t === "ping") this.socket.send(JSON.stringify({ t: "pong", id: frame.id }));
    else if (frame.t === "welcome") {
      this.retries = 0;
      this.paused = false;
      this.table = frame.table;
      if (!frame.resumed) this.view = EMPTY();
      status("live");
    } else if (frame.t === "snapshot") this.view = fromSnapshot(frame);
    else if (frame.t === "table") this.table = frame.table;
    else if (frame.t === "paused" || frame.t === "going_on") this.paused = frame.t === "paused";
    this.redraw();
  }

  event(event) {
    apply(this.view, event);
    if (event.e === "play") this.fresh = event.f;
    if (event.e === "return") this.bounced = event.seat;
    const line = tell(event, (seat) => this.table?.seats[seat]?.name || `seat ${seat + 1}`);
    if (!line) return;
    $("log").prepend(make("li", "", line));
    while ($("log").children.length > 60) $("log").lastChild.remove();
  }

  redraw() {
    if (this.drawing) return;
    this.drawing = true;
    requestAnimationFrame(() => {
      this.drawing = false;
      if (watching === this) draw(this);
    });
  }

  closed(code) {
    if (watching !== this) return;
    if (FINAL_CODES.has(code)) return status(code === 4010 ? "the table is closed" : "no such table");
    status("reconnecting …");
    const wait = Math.min(5000, 250 * 2 ** this.retries++) * (0.5 + Math.random() / 2);
    setTimeout(() => watching === this && this.connect(), wait);
  }

  end() {
    this.socket.close(1000);
  }
}

// ---- The list ----

function drawTable(table) {
  const item = make("li");
  const link = make("a");
  link.href = `#${table.id}`;
  const taken = table.seats.filter((seat) => seat.player || seat.bot).length;
  link.append(
    make("span", "state", STATES[table.state] ?? table.state),
    make("strong", "", `${taken} of ${table.seats.length} seats`),
    make("span", "names", table.seats.map((seat) => seat.name).filter(Boolean).join(", ") || "nobody yet"),
  );
  if (table.hand) link.append(make("span", "names", `hand ${table.hand}`));
  item.append(link);
  return item;
}

let listed = "";

async function list() {
  if (!watching && !document.hidden) {
    try {
      const answer = await fetch("/api/v1/tables");
      if (!answer.ok) throw new Error(String(answer.status));
      const text = await answer.text();
      // Redrawn only when something has changed, so that the keyboard's focus stays where it is.
      if (text !== listed) {
        listed = text;
        const { tables } = JSON.parse(text);
        $("tables").replaceChildren(...tables.map(drawTable));
        $("empty").hidden = tables.length > 0;
      }
      status("");
    } catch {
      status("the tables cannot be reached");
    }
  }
  setTimeout(list, LISTED_EVERY_MS);
}

function status(text) {
  $("status").textContent = text;
}

// ---- Going from one to the other ----

let watching = null;

function go() {
  const id = location.hash.slice(1);
  const before = watching;
  watching = null;
  before?.end();
  $("lobby").hidden = Boolean(id);
  $("table").hidden = !id;
  status("");
  if (id) watching = new Watch(encodeURIComponent(id));
}

addEventListener("hashchange", go);
go();
list();
