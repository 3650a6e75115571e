// Which view a path shows. A view is loaded when it is first gone to; its parts come as props, in the path's order.
import type { Component } from "svelte";

type View = Component<Record<string, string>>;
interface Route {
  readonly path: RegExp;
  readonly load: () => Promise<{ default: unknown }>;
}

const ROUTES: readonly Route[] = [
  { path: /^\/$/, load: () => import("./front/Front.svelte") },
  { path: /^\/table\/(?<id>[A-Za-z0-9_-]{1,64})$/, load: () => import("./table/TableView.svelte") },
];

export interface Found {
  readonly load: () => Promise<View>;
  readonly props: Record<string, string>;
}

/** The view of a path; where there is none, the one that says so. */
export function find(path: string): Found {
  for (const { path: pattern, load } of ROUTES) {
    const match = pattern.exec(path);
    if (match) return { load: async () => (await load()).default as View, props: { ...match.groups } };
  }
  return { load: async () => (await import("./front/NotFound.svelte")).default as unknown as View, props: {} };
}
