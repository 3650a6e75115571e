// Looks again and again for as long as the page is in sight: soon after something changed, and ever more seldom while
// nothing does. The server offers no stream of the list of tables.

const SOON_MS = 3_000;
const SELDOM_MS = 15_000;
const SLOWER = 1.5;

/** `look` answers whether something has changed. Returns what ends it. */
export function watching(look: () => Promise<boolean>): () => void {
  let pause = SOON_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let looking = false;
  let gone = false;

  async function again(): Promise<void> {
    if (looking || gone) return;
    looking = true;
    clearTimeout(timer);
    try {
      pause = (await look()) ? SOON_MS : Math.min(SELDOM_MS, pause * SLOWER);
    } catch {
      pause = Math.min(SELDOM_MS, pause * SLOWER); // the next look may find them
    }
    looking = false;
    if (!gone && !document.hidden) timer = setTimeout(again, pause);
  }
  const seen = () => !document.hidden && ((pause = SOON_MS), void again());

  document.addEventListener("visibilitychange", seen);
  addEventListener("online", seen);
  void again();
  return () => {
    gone = true;
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", seen);
    removeEventListener("online", seen);
  };
}
