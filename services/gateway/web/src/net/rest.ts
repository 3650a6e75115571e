// The REST calls (docs/protocol.md), typed by the server's own description. Knows nothing of what is shown.
import type { components, paths } from "../generated/rest";
import { eventTexts } from "./log";

type Schemas = components["schemas"];
export type Guest = Schemas["Guest"];
export type HouseRules = Schemas["HouseRules"];
export type Me = Schemas["Me"];
export type Match = Schemas["Match"];
export type HandSheet = Schemas["HandSheet"];
export type Leader = Schemas["LeaderboardEntry"];
export type Table = Schemas["Table"];
export type Tables = Schemas["Tables"];
export type TableRequest = Partial<Schemas["TableRequest"]>;
export type SeatTaken = Schemas["SeatTaken"];
export type Hint = Schemas["Hint"];
export type AcesUpWish = Partial<Schemas["AcesUpRequest"]>;
export type AcesUpGame = Schemas["AcesUpGame"];
export type AcesUpStatistics = Schemas["AcesUpStatistics"];
export type AcesUpDaily = Schemas["AcesUpDaily"];

const PREFIX = "/api/v1";

/** The edge said no, or could not be reached (`unreachable`); `code` is stable, and what the page looks at. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    detail: string,
    readonly option: string | null = null,
  ) {
    super(detail);
  }
}

type Method = "GET" | "POST" | "DELETE";
/** Every documented path, so that a misspelt one is no program. */
type Path = keyof paths;

type Names = Record<string, string | number>;

/** The body of a good answer, as it came. `query` are parameters behind the path. Throws `Problem`. */
async function ask(method: Method, path: Path, names: Names = {}, body?: unknown, query?: Record<string, string>) {
  const filled =
    path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(names[name]))) +
    (query ? `?${new URLSearchParams(query)}` : "");
  let response: Response;
  try {
    response = await fetch(filled, {
      method,
      credentials: "same-origin",
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } }),
    });
  } catch {
    throw new Problem(0, "unreachable", "the server cannot be reached");
  }
  const text = await response.text();
  if (response.ok) return text;
  const said = parsed<Partial<Schemas["Problem"]> | null>(text, response.status);
  throw new Problem(response.status, said?.code ?? "internal", said?.detail ?? "", said?.option ?? null);
}

function parsed<Answer>(text: string, status: number): Answer {
  try {
    return (text ? JSON.parse(text) : null) as Answer;
  } catch {
    throw new Problem(status, "unreachable", "the answer is not the server's");
  }
}

async function call<Answer>(...asked: Parameters<typeof ask>): Promise<Answer> {
  return parsed<Answer>(await ask(...asked), 200);
}

export const rest = {
  createGuest: (name: string) => call<Guest>("POST", `${PREFIX}/guests`, {}, { name }),
  me: () => call<Me>("GET", `${PREFIX}/me`),
  /** Deletes the player who asks, for good. */
  deleteMe: () => call<null>("DELETE", `${PREFIX}/me`),
  notice: () => call<Schemas["Notice"]>("GET", `${PREFIX}/notice`),
  options: () => call<HouseRules>("GET", `${PREFIX}/options`),
  tables: () => call<Tables>("GET", `${PREFIX}/tables`),
  table: (table: string) => call<Table>("GET", `${PREFIX}/tables/{table}`, { table }),
  createTable: (wish: TableRequest) => call<Table>("POST", `${PREFIX}/tables`, {}, wish),
  quickPlay: (seats?: number) => call<SeatTaken>("POST", `${PREFIX}/quick-play`, {}, seats ? { seats } : {}),
  join: (table: string, invite = "") => call<SeatTaken>("POST", `${PREFIX}/tables/{table}/join`, { table }, { invite }),
  /** The table that has a short code, and what lets one join it. */
  find: (code: string) => call<Schemas["Invitation"]>("GET", `${PREFIX}/codes/{code}`, { code }),
  leave: (table: string) => call<Table>("POST", `${PREFIX}/tables/{table}/leave`, { table }),
  addBot: (table: string, { strength, pace }: Schemas["BotRequest"]) =>
    call<SeatTaken>("POST", `${PREFIX}/tables/{table}/bots`, { table }, { strength, pace }),
  removeBot: (table: string, seat: number) =>
    call<Table>("DELETE", `${PREFIX}/tables/{table}/bots/{seat}`, { table, seat }),
  removePlayer: (table: string, seat: number) =>
    call<Table>("DELETE", `${PREFIX}/tables/{table}/players/{seat}`, { table, seat }),
  rematch: (table: string) => call<Table>("POST", `${PREFIX}/tables/{table}/rematch`, { table }),
  match: (match: string) => call<Match>("GET", `${PREFIX}/matches/{match}`, { match }),
  matches: (player: string, page_token = "", limit = 10) =>
    call<Schemas["Matches"]>("GET", `${PREFIX}/matches`, {}, undefined, { player, page_token, limit: `${limit}` }),
  /** The texts of a hand's events, as they were published. */
  handLog: async (match: string, hand: number) =>
    eventTexts(await ask("GET", `${PREFIX}/matches/{match}/hands/{hand}`, { match, hand })),
  leaderboard: async () => (await call<Schemas["Leaderboard"]>("GET", `${PREFIX}/leaderboard`)).entries,
  dispute: (table: string, withdraw = false) =>
    call<Table>("POST", `${PREFIX}/tables/{table}/dispute`, { table }, { withdraw }),
  hint: (table: string) => call<Hint>("GET", `${PREFIX}/tables/{table}/hint`, { table }),
  /** Whether a game of Aces Up can still be won; null: not decided. */
  outlook: async (table: string) =>
    (await call<Schemas["Outlook"]>("GET", `${PREFIX}/tables/{table}/outlook`, { table })).winnable,
  playAcesUp: (wish: AcesUpWish) => call<Table>("POST", `${PREFIX}/aces-up`, {}, wish),
  acesUpStatistics: () => call<AcesUpStatistics>("GET", `${PREFIX}/aces-up/statistics`),
  acesUpDaily: () => call<AcesUpDaily>("GET", `${PREFIX}/aces-up/daily`),
  acesUpGames: (page_token = "", limit = 20) =>
    call<Schemas["AcesUpGames"]>("GET", `${PREFIX}/aces-up/games`, {}, undefined, { page_token, limit: `${limit}` }),
};

/** Where a table's socket is. */
export function socketUrl(table: string, from: Pick<Location, "protocol" | "host"> = location): string {
  const scheme = from.protocol === "https:" ? "wss" : "ws";
  return `${scheme}://${from.host}${PREFIX}/tables/${encodeURIComponent(table)}/socket`;
}
