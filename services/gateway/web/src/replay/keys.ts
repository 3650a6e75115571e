// The keys of a replay: space plays and pauses, arrows step, with Shift from contest to contest.
import { contestFrame } from "./film";
import type { Player } from "./player.svelte";

/** Goes to the next contest, or the one before; stays where there is none. */
export function toContest(player: Player, direction: 1 | -1): void {
  const at = contestFrame(player.film, player.index, direction);
  if (at !== null) player.show(at);
}

export function onKey(event: KeyboardEvent, player: Player): void {
  const at = event.target as Element;
  if (event.ctrlKey || event.metaKey || event.altKey || at.closest("select, dialog")) return;
  if (event.key === " " && at.closest("button, a, summary")) return;
  switch (event.key) {
    case " ":
      player.toggle();
      break;
    case "ArrowRight":
    case "ArrowLeft": {
      const direction = event.key === "ArrowRight" ? 1 : -1;
      if (event.shiftKey) toContest(player, direction);
      else player.step(direction);
      break;
    }
    case "Home":
      player.show(0);
      break;
    case "End":
      player.show(player.film.frames.length - 1);
      break;
    default:
      return;
  }
  event.preventDefault();
}
