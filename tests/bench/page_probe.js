// What a page that is looked at notes of itself: its frames, its long tasks, how long inputs took, what its sockets
// brought. Installed before the page's own scripts; `probe.begin()` starts anew, `probe.read()` tells.
(() => {
  const OWN_CARD = ".mine [data-from][data-card]";
  const kept = { frames: [], longTasks: [], inputs: [], events: 0, hands: 0 };
  const probe = { interactiveAt: null };
  /** Looking for an own card costs time, so it is done only while the page is being loaded. */
  let isLoading = true;

  probe.begin = () => {
    isLoading = false;
    kept.frames = [];
    kept.longTasks = [];
    kept.inputs = [];
    kept.events = kept.hands = 0;
  };
  probe.read = () => kept;

  /** Whether an own card lies there and a click in its middle would be the card's. */
  const isInteractive = () => {
    const card = document.querySelector(OWN_CARD);
    if (!card) return false;
    const { left, top, width, height } = card.getBoundingClientRect();
    return card.contains(document.elementFromPoint(left + width / 2, top + height / 2));
  };

  const look = (now) => {
    kept.frames.push(now);
    if (isLoading && isInteractive()) {
      isLoading = false;
      probe.interactiveAt = performance.now();
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);

  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) kept.longTasks.push([startTime, duration]);
  }).observe({ type: "longtask" });
  new PerformanceObserver((list) => {
    for (const { name, duration } of list.getEntries()) kept.inputs.push([name, duration]);
  }).observe({ type: "event", durationThreshold: 16 });

  window.WebSocket = class extends WebSocket {
    constructor(...how) {
      super(...how);
      this.addEventListener("message", ({ data }) => {
        if (!data.startsWith('{"seq":')) return;
        kept.events += 1;
        if (data.includes('"e":"end"')) kept.hands += 1;
      });
    }
  };
  window.probe = probe;
})();
