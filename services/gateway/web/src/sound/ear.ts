// Makes sounds, once they are asked for; what makes them is loaded only then.
import { settings } from "../state/settings.svelte";
import type { Cue } from "./cues";

let synth: Promise<typeof import("./synth")> | null = null;

/** Plays a cue, if sounds are on. */
export async function heard(cue: Cue | null): Promise<void> {
  if (cue === null || settings.sound === "off") return;
  synth ??= import("./synth");
  (await synth).play(cue);
}
