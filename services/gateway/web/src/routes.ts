// Which view a path shows. A view is loaded when it is first gone to; its parts come as props, in the path's order.
import type { Component } from "svelte";

type View = Component<Record<string, string>>;
interface Route {
  readonly path: RegExp;
  /** It fills the window, and has its own line on top. */
  readonly whole?: boolean;
  readonly load: () => Promise<{ default: unknown }>;
}

const ROUTES: readonly Route[] = [
  { path: /^\/$/, load: () => import("./front/Front.svelte") },
  { path: /^\/new$/, load: () => import("./create/CreateView.svelte") },
  { path: /^\/table\/(?<id>[A-Za-z0-9_-]{1,64})$/, load: () => import("./table/TableView.svelte"), whole: true },
  { path: /^\/aces-up$/, load: () => import("./aces-up/AcesUpView.svelte") },
  { path: /^\/rules$/, load: () => import("./rules/RulesView.svelte") },
  { path: /^\/history$/, load: () => import("./history/HistoryView.svelte") },
  { path: /^\/leaderboard$/, load: () => import("./history/LeaderboardView.svelte") },
  { path: /^\/match\/(?<id>[A-Za-z0-9_-]{1,64})$/, load: () => import("./history/MatchView.svelte") },
  {
    path: /^\/replay\/(?<match>[A-Za-z0-9_-]{1,64})\/(?<hand>[1-9]\d{0,5})$/,
    load: () => import("./replay/ReplayView.svelte"),
    whole: true,
  },
];

export interface Found {
  readonly load: () => Promise<View>;
  readonly props: Record<string, string>;
  readonly whole: boolean;
}

/** Whether there is a view of this path. */
export const known = (path: string): boolean => ROUTES.some((route) => route.path.test(path));

/** The view of a path; where there is none, the one that says so. */
export function find(path: string): Found {
  for (const { path: pattern, load, whole = false } of ROUTES) {
    const match = pattern.exec(path);
    if (match) return { load: async () => (await load()).default as View, props: { ...match.groups }, whole };
  }
  const none = async () => (await import("./front/NotFound.svelte")).default as unknown as View;
  return { load: none, props: {}, whole: false };
}
