// Where the page is. Views say `go("/table/…")`; the browser's own back and forward work.

class Route {
  path = $state(location.pathname);

  constructor() {
    addEventListener("popstate", () => (this.path = location.pathname));
  }
}

export const route = new Route();

export function go(path: string, { replace = false } = {}): void {
  history[replace ? "replaceState" : "pushState"](null, "", path);
  route.path = location.pathname;
  scrollTo(0, 0);
}

/** For links: `<a href="/…" onclick={link}>` goes there without loading the page again. */
export function link(event: MouseEvent & { currentTarget: HTMLAnchorElement }): void {
  if (event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  go(event.currentTarget.pathname + event.currentTarget.search);
}
