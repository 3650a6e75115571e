// What is wrong with how a page lies: `(width, height) => [sentence, …]`, run inside the page by tests/web/layout.py.
(width, height) => {
  const SLACK = 1.5; // px: rounding, and half a border
  const LEAST = 24; // px: WCAG 2.2, target size (minimum)
  const CONTROLS = "button, a[href], input, select, textarea, summary, [role=button], [tabindex='0']";
  const root = document.querySelector("dialog[open]") ?? document.body;
  const faults = new Set();

  const style = (element) => getComputedStyle(element);
  const within = (inner, outer) => outer.contains(inner);
  const ancestors = (element) => (element.parentElement ? [element.parentElement, ...ancestors(element.parentElement)] : []);
  const forReadersOnly = (element) =>
    [element, ...ancestors(element)].some((each) => style(each).clipPath === "inset(50%)" || each.matches("[aria-hidden=true] svg *"));
  const seen = (element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !forReadersOnly(element);
  const described = (element) => {
    const text = (element.getAttribute("aria-label") ?? element.textContent).trim().replace(/\s+/g, " ").slice(0, 40);
    const name = typeof element.className === "string" ? element.className.replace(/ ?svelte-\w+/g, "").trim() : "";
    return `${element.localName}${name ? `.${name.replaceAll(" ", ".")}` : ""} "${text}"`;
  };
  const overlap = (a, b) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > SLACK &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > SLACK;
  const scrolls = (value) => value === "auto" || value === "scroll";
  const hides = (value) => value === "hidden" || value === "clip";

  /** Where the element's own text lies; null if it has none. */
  function textBox(element) {
    const range = document.createRange();
    const boxes = [...element.childNodes]
      .filter((node) => node.nodeType === Node.TEXT_NODE && node.data.trim())
      .flatMap((node) => (range.selectNodeContents(node), [...range.getClientRects()]));
    if (!boxes.length) return null;
    return {
      left: Math.min(...boxes.map((box) => box.left)),
      right: Math.max(...boxes.map((box) => box.right)),
      top: Math.min(...boxes.map((box) => box.top)),
      bottom: Math.max(...boxes.map((box) => box.bottom)),
    };
  }

  /** What can be scrolled to is not outside. */
  function outside(element, box) {
    const above = ancestors(element);
    const aside = above.some((each) => scrolls(style(each).overflowX) && each.scrollWidth > each.clientWidth);
    if (!aside && (box.left < -SLACK || box.right > width + SLACK)) return true;
    const fixed = [element, ...above].find((each) => style(each).position === "fixed" || each.localName === "dialog");
    if (!fixed) return box.top < -SLACK - scrollY;
    const rolls = above.some((each) => scrolls(style(each).overflowY) && each.scrollHeight > each.clientHeight);
    return !rolls && (box.top < -SLACK || box.bottom > height + SLACK);
  }

  function checkText(element) {
    const text = textBox(element);
    if (text === null || !seen(element)) return;
    const own = style(element);
    if (hides(own.overflowX) && element.scrollWidth > element.clientWidth + 1) {
      faults.add(`cut: ${described(element)}`);
    } else if (own.display !== "inline") {
      const box = element.getBoundingClientRect();
      if (text.right > box.right + SLACK || text.left < box.left - SLACK) faults.add(`runs over: ${described(element)}`);
    }
    if (outside(element, text)) faults.add(`outside the window: ${described(element)}`);
    for (const above of ancestors(element)) {
      const { overflowX, overflowY } = style(above);
      if (scrolls(overflowX) || scrolls(overflowY)) return;
      const box = above.getBoundingClientRect();
      const cutX = hides(overflowX) && (text.left < box.left - SLACK || text.right > box.right + SLACK);
      const cutY = hides(overflowY) && (text.top < box.top - SLACK * 2 || text.bottom > box.bottom + SLACK * 2);
      if (cutX || cutY) return faults.add(`cut by ${described(above)}: ${described(element)}`);
    }
  }

  /** Inline links may be as high as their line; a box to tick is as large as its label. */
  function target(control) {
    const label = control.matches("input[type=checkbox], input[type=radio]") ? control.closest("label") : null;
    const box = (label ?? control).getBoundingClientRect();
    const inline = control.localName === "a" && style(control).display === "inline";
    const boxes = inline ? [...control.getClientRects()] : [box];
    return { control, box, boxes, small: !inline && (box.width < LEAST - 0.5 || box.height < LEAST - 0.5), label };
  }

  /** What lies over everything else on purpose: dialogs, sheets, panels, and lines that stay when the rest scrolls. */
  const layer = (element) =>
    [element, ...ancestors(element)].find((each) => {
      const { position, zIndex } = style(each);
      return each.localName === "dialog" || position === "fixed" || position === "sticky" || Number(zIndex) >= 30;
    });

  /** Whether one can get at it; what a layer hides is not there as long as the layer is. */
  function reachable({ control, box, label }) {
    const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    const hit = document.elementFromPoint(x, y);
    if (hit === null) return true; // scrolled away
    const itself = label ?? control;
    if (within(hit, itself) || within(itself, hit)) return true;
    const over = layer(hit);
    return !over || within(control, over);
  }

  for (const element of root.querySelectorAll("*")) checkText(element);
  const targets = [...root.querySelectorAll(CONTROLS)]
    .filter((control) => seen(control) && !control.closest("[inert]"))
    .map(target)
    .filter((each) => each.box.width > 0 && reachable(each));
  for (const { control, box, small } of targets) {
    if (outside(control, box)) faults.add(`outside the window: ${described(control)}`);
    if (small) faults.add(`small, ${Math.round(box.width)} x ${Math.round(box.height)}: ${described(control)}`);
  }
  // Cards of one pile lie on each other; that is what a pile is.
  const pile = (control) => control.closest("[data-column], [data-pile], .pile");
  targets.forEach((one, i) => {
    for (const other of targets.slice(i + 1)) {
      const related = within(one.control, other.control) || within(other.control, one.control);
      const piled = pile(one.control) !== null && pile(one.control) === pile(other.control);
      const same = one.label !== null && one.label === other.label;
      const apart = layer(one.control) !== layer(other.control);
      if (related || piled || same || apart) continue;
      if (!one.boxes.some((box) => other.boxes.some((another) => overlap(box, another)))) continue;
      faults.add(`on each other: ${described(one.control)} and ${described(other.control)}`);
    }
  });
  const across = document.scrollingElement.scrollWidth;
  if (across > width + 1) faults.add(`scrolls sideways: ${across} px in ${width}`);
  return [...faults];
};
