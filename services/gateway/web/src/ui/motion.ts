// Whether cards glide: not where the player, or the player's system, wants them still.
import { settings } from "../state/settings.svelte";

const reduced = typeof matchMedia === "undefined" ? null : matchMedia("(prefers-reduced-motion: reduce)");

export const still = (): boolean => settings.motion === "still" || (reduced?.matches ?? false);
