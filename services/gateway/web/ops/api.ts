// The console's REST calls. Knows nothing of what is shown.
const PREFIX = "/api/ops/v1";

export interface Me {
  readonly name: string;
  readonly role: "viewer" | "operator";
  readonly csrf: string;
}
export interface Point {
  readonly at: number;
  readonly plays: number;
  readonly events: number;
  readonly contests: number;
  readonly ties: number;
  readonly seats: number;
  readonly spectators: number;
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
}
export interface Process {
  readonly name: string;
  readonly service: string;
  readonly host: string;
  readonly port: number;
  readonly pid: number;
  readonly started: number;
  readonly ready: boolean;
  readonly draining: boolean;
  readonly checks: Readonly<Record<string, boolean>>;
  readonly cpu: number | null;
  readonly memory: number | null;
}
export interface Notice {
  readonly id: string;
  readonly texts: Readonly<Record<string, string>>;
  readonly until: number;
}
export interface Overview {
  readonly now: number;
  readonly paused: boolean | null;
  readonly notice: Notice | null;
  readonly processes: readonly Process[];
  readonly points: readonly Point[];
}
export interface Brief {
  readonly id: string;
  readonly code: string;
  readonly state: string;
  readonly public: boolean;
  readonly frozen: boolean;
  readonly seats: number;
  readonly people: number;
  readonly present: number;
  readonly bots: number;
  readonly hand: number;
  readonly created_ms: number;
  readonly since_ms: number;
  readonly names: readonly string[];
}
export interface Tables {
  readonly tables: readonly Brief[];
  readonly total: number;
}
export interface Seat {
  readonly index: number;
  readonly player: string;
  readonly name: string;
  readonly bot: boolean;
  readonly ready: boolean;
  readonly present: boolean;
  readonly total: number;
  readonly host: boolean;
  readonly rtt_ms: number | null;
  readonly sockets: number;
}
export interface Table {
  readonly id: string;
  readonly state: string;
  readonly public: boolean;
  readonly frozen: boolean;
  readonly match: string;
  readonly hand: number;
  readonly seats: readonly Seat[];
  readonly watchers: number;
}
export interface Entry {
  readonly id: string;
  readonly at: number;
  readonly who: string;
  readonly address: string;
  readonly what: string;
  readonly on: string;
  readonly detail: string;
  readonly result: string;
}

/** The console said no, or could not be reached; `code` is stable. */
export class Problem extends Error {
  constructor(
    readonly code: string,
    detail: string,
  ) {
    super(detail || code);
  }
}

let csrf = "";

async function ask<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
  const headers: Record<string, string> = { "X-CSRF-Token": csrf };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let response: Response;
  try {
    response = await fetch(PREFIX + path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch {
    throw new Problem("unreachable", "The console can't be reached.");
  }
  const said = (await response.json().catch(() => ({}))) as { code?: string; detail?: string };
  if (!response.ok) throw new Problem(said.code ?? "internal", said.detail ?? "");
  return said as Answer;
}

async function entered(call: Promise<Me>): Promise<Me> {
  const me = await call;
  csrf = me.csrf;
  return me;
}

export const api = {
  me: () => entered(ask<Me>("GET", "/me")),
  logIn: (name: string, password: string) => entered(ask<Me>("POST", "/login", { name, password })),
  logOut: () => ask("POST", "/logout"),
  overview: (since: number) => ask<Overview>("GET", `/overview?since=${since}`),
  tables: (query: Record<string, string>) => ask<Tables>("GET", `/tables?${new URLSearchParams(query)}`),
  table: (id: string) => ask<Table>("GET", `/tables/${encodeURIComponent(id)}`),
  act: (id: string, what: string) => ask("POST", `/tables/${encodeURIComponent(id)}/${what}`),
  announce: (texts: Record<string, string>, minutes: number) => ask("POST", "/notice", { texts, minutes }),
  withdraw: () => ask("DELETE", "/notice"),
  creation: (paused: boolean) => ask("POST", "/creation", { paused }),
  drain: (process: string) => ask("POST", `/processes/${process}/drain`),
  audit: (before = "") => ask<{ entries: Entry[] }>("GET", `/audit?limit=100&before=${before}`),
  log: (id: string) => new EventSource(`${PREFIX}/tables/${encodeURIComponent(id)}/log`),
};

export const said = (problem: unknown): string => (problem instanceof Error ? problem.message : String(problem));
export const clock = (ms: number): string => new Date(ms).toLocaleTimeString("en-GB");
export const moment = (ms: number): string => new Date(ms).toLocaleString("en-GB");

/** Calls again and again until the function that it gives is called; the next call begins a while after the last ended. */
export function every(ms: number, look: () => Promise<unknown>): () => void {
  let timer = 0;
  let over = false;
  const again = async () => {
    await look().catch(() => undefined);
    if (!over) timer = window.setTimeout(() => void again(), ms);
  };
  void again();
  return () => {
    over = true;
    clearTimeout(timer);
  };
}
