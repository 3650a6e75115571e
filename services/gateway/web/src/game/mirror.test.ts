// What src/game says of real hands is what the rules say. The hands come from tests/web/paper_hands.py.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Event } from "../generated/frames";
import { History } from "../net/history";
import type { Action } from "./actions";
import { legalActions } from "./legal";
import { foreseen } from "./pending";
import { tallies } from "./points";
import { type SeatView, type TableView, apply, EMPTY } from "./view";

interface Look extends Pick<
  TableView,
  "seq" | "phase" | "progress" | "callers" | "votes" | "asked" | "seats" | "foundations"
> {
  legal: Action[][];
}
interface PaperHand {
  events: string[];
  looks: Look[];
}

const path = process.env["PAPER_HANDS"];
const hands = path ? (JSON.parse(readFileSync(path, "utf8")) as PaperHand[]) : [];

test("there are hands to follow", () => {
  expect(hands.length, "run it with pytest tests/web/test_units.py, which makes them").toBeGreaterThan(3);
});

describe.each(hands.map((hand, i) => [i, hand] as const))("hand %i", (_, hand) => {
  test("every event continues the chain of digests", () => {
    const history = new History();
    for (const text of hand.events) expect(history.follow(text)?.seq).toBe(history.seq);
    expect(history.seq).toBe(hand.events.length);
  });

  test("the view and the legal actions are those of the rules", () => {
    const looks = new Map(hand.looks.map((look) => [look.seq, look]));
    for (const view of views(hand)) {
      const look = looks.get(view.seq);
      if (!look) continue;
      const { legal, ...seen } = look;
      expect(view).toMatchObject(seen);
      expect(view.seats.map((_, seat) => sorted(legalActions(view, seat)))).toEqual(legal.map(sorted));
    }
  });

  test("what is shown at once is what the referee makes of it, up to what no one can know", () => {
    let view = EMPTY;
    let shown = 0;
    for (const text of hand.events) {
      const event = JSON.parse(text) as Event;
      const action = asked(event, view);
      const after = apply(view, event);
      if (action && "seat" in event) {
        const seen = foreseen(view, event.seat, [action]);
        expect(seen.foundations).toEqual(after.foundations);
        expect(known(seen.seats[event.seat]!, after.seats[event.seat]!)).toEqual(after.seats[event.seat]);
        shown += 1;
      }
      view = after;
    }
    expect(shown).toBeGreaterThan(20);
  });

  test("the points at the end are those of its sheet", () => {
    const end = JSON.parse(hand.events.at(-1)!) as Extract<Event, { e: "end" }>;
    const view = [...views(hand)].at(-1)!;
    expect(tallies(view).map(({ up, demon, points }) => [up, demon, points])).toEqual(
      end.scores.map(({ foundation, demon, points }) => [foundation, demon, points]),
    );
  });
});

function* views(hand: PaperHand): Generator<TableView> {
  let view = EMPTY;
  for (const text of hand.events) yield (view = apply(view, JSON.parse(text) as Event));
}

const sorted = (actions: readonly Action[]): string[] =>
  actions.map((action) => JSON.stringify(Object.entries(action).sort())).sort();

/** What a seat had asked for, of the events that change its layout. */
function asked(event: Event, before: TableView): Action | null {
  switch (event.e) {
    case "play":
      return event.tie ? null : { t: "play", from: event.from, card: event.card, to: event.to };
    case "move":
      return { t: "move", from: event.from, card: event.card, to: event.to as "c0" };
    case "turn":
      return { t: "turn", stock: before.seats[event.seat]!.stock };
    case "recycle":
      return { t: "recycle" };
    default:
      return null;
  }
}

/** The foreseen seat with the cards that only the event shows. */
function known(seen: SeatView, after: SeatView): SeatView {
  const top = seen.top ?? after.top;
  const waste = seen.waste.map((card, i) => card ?? (i === seen.waste.length - 1 ? (after.waste[i] ?? null) : null));
  return { ...seen, top, waste };
}
