// Makes sounds, once they are asked for; what makes them is loaded only then.
import { settings } from "../state/settings.svelte";
import type { Cue } from "./cues";

/** The same sound again within this time, ms, is one: after a reconnection much happens at once. */
const AGAIN_MS = 40;
const last = new Map<Cue, number>();
let synth: Promise<typeof import("./synth")> | null = null;

/** Plays a cue, if sounds are on. */
export async function heard(cue: Cue | null): Promise<void> {
  if (cue === null || settings.sound === "off" || document.hidden) return;
  const now = performance.now();
  if (now - (last.get(cue) ?? -AGAIN_MS) < AGAIN_MS) return;
  last.set(cue, now);
  synth ??= import("./synth");
  (await synth).play(cue);
}
