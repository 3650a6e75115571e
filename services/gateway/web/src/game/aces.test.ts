// What src/game says of games of Aces Up is what the rules say. The games come from tests/web/paper_games.py.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Event } from "../generated/frames";
import { type AcesView, acesActions, acesAfter, acesForeseen, isLost, isWon, removedCount } from "./aces";
import type { AcesAction } from "./actions";

interface Look extends Pick<AcesView, "piles" | "stock" | "undoable" | "redoable"> {
  seq: number;
  removed: number;
  lost: boolean;
  legal: AcesAction[];
}
interface PaperGame {
  events: string[];
  actions: AcesAction[];
  looks: Look[];
}

const path = process.env["PAPER_GAMES"];
const games = path ? (JSON.parse(readFileSync(path, "utf8")) as PaperGame[]) : [];
const layout = ({ piles, stock, undoable, redoable }: AcesView) => ({ piles, stock, undoable, redoable });

test("there are games to follow, won, lost and in practice", () => {
  expect(games.length, "run it with pytest tests/web/test_units.py, which makes them").toBeGreaterThan(5);
  expect(games.flatMap(({ actions }) => actions.map(({ t }) => t))).toEqual(expect.arrayContaining(["undo", "redo"]));
  expect(games.filter(({ looks }) => looks.at(-1)!.lost).length).toBeGreaterThan(1);
  expect(games.filter((game) => isWon([...views(game)].at(-1)!)).length).toBe(2);
});

describe.each(games.map((game, i) => [i, game] as const))("game %i", (_, game) => {
  test("the view, what is legal and whether it is lost are those of the rules", () => {
    const seen = [...views(game)];
    expect(seen.length).toBe(game.looks.length);
    seen.forEach((view, i) => {
      const { seq, removed, lost, legal, ...shown } = game.looks[i]!;
      expect(layout(view), `after event ${seq}`).toEqual(shown);
      expect(removedCount(view)).toBe(removed);
      expect(isLost(view)).toBe(lost);
      expect(acesActions(view).map(named).sort()).toEqual(legal.map(named).sort());
    });
  });

  test("what is shown at once is what the referee makes of it, up to what no one can know", () => {
    const seen = [...views(game)].slice(1); // from the signal on
    let shown = 0;
    game.actions.forEach((action, i) => {
      const [now, after] = [seen[i]!, seen[i + 1]!];
      const foreseen = acesForeseen(now, action);
      if (action.t !== "row" && foreseen) {
        expect(layout(foreseen)).toEqual(layout(after));
        expect(foreseen.gone).toEqual(after.gone);
      } else if (foreseen) {
        expect(foreseen.stock).toBe(after.stock);
        expect(foreseen.piles.map((pile) => pile.at(-1))).toEqual([null, null, null, null]);
      }
      shown += Number(foreseen !== null);
    });
    expect(shown).toBe(game.actions.filter(({ t }) => t !== "give_up").length);
  });

  test("what can't be is not shown: another card, an occupied place, a stock that changed", () => {
    const first = [...views(game)][1]!;
    const top = first.piles[0]![0]!;
    expect(acesForeseen(first, { t: "row", stock: first.stock - 4 })).toBeNull();
    expect(acesForeseen(first, { t: "fill", from: 0, card: top, to: 1 })).toBeNull();
    expect(acesForeseen(first, { t: "remove", pile: 1, card: top })).toBeNull();
    expect(acesForeseen(first, { t: "undo" })).toBeNull();
  });

  test("no card that a row will bring is moved before it is known", () => {
    const first = [...views(game)][1]!;
    const dealt = acesForeseen(first, { t: "row", stock: first.stock })!;
    expect(acesActions(dealt).filter(({ t }) => t === "remove" || t === "fill")).toEqual([]);
  });
});

test("after a reload, steps are taken back and made again as the referee tells", () => {
  const practice = games.find(({ actions }) => actions.some(({ t }) => t === "redo"))!;
  const events = practice.events.map((text) => JSON.parse(text) as Event);
  const from = events.findIndex(({ e }) => e === "undo");
  const before = [...views(practice)][from - 2]!; // the deal is the second event, and the first view
  let view: AcesView = { ...before, before: null, again: null, gone: [] };
  expect(acesForeseen(view, { t: "undo" })).toBeNull();
  events.slice(from).forEach((event, i) => {
    view = acesAfter(view, event)!;
    expect(layout(view)).toEqual(layout([...views(practice)][from - 1 + i]!));
    expect(view.gone.filter((card) => view.piles.flat().includes(card))).toEqual([]);
  });
});

/** The game after each event from the deal on. */
function* views(game: PaperGame): Generator<AcesView> {
  let view: AcesView | null = null;
  for (const text of game.events) {
    view = acesAfter(view, JSON.parse(text) as Event);
    if (view) yield view;
  }
}

const named = (action: AcesAction): string => JSON.stringify(Object.entries(action).sort());
