// Short sounds, made of tones; nothing is loaded for them.
import type { Cue } from "./cues";

interface Tone {
  readonly hertz: number;
  /** Where it glides to. */
  readonly to?: number;
  /** When it begins and how long it lasts, s. */
  readonly at: number;
  readonly lasts: number;
  readonly wave: OscillatorType;
  readonly loud: number;
}

const TONES: Readonly<Record<Cue, readonly Tone[]>> = {
  card: [{ hertz: 1900, to: 500, at: 0, lasts: 0.035, wave: "triangle", loud: 0.16 }],
  foundation: [
    { hertz: 660, at: 0, lasts: 0.09, wave: "triangle", loud: 0.22 },
    { hertz: 990, at: 0.05, lasts: 0.12, wave: "triangle", loud: 0.18 },
  ],
  lost: [{ hertz: 260, to: 140, at: 0, lasts: 0.2, wave: "sawtooth", loud: 0.1 }],
  tie: [
    { hertz: 740, at: 0, lasts: 0.25, wave: "sine", loud: 0.2 },
    { hertz: 932, at: 0, lasts: 0.25, wave: "sine", loud: 0.16 },
  ],
  call: [
    { hertz: 523, at: 0, lasts: 0.16, wave: "square", loud: 0.08 },
    { hertz: 659, at: 0.12, lasts: 0.16, wave: "square", loud: 0.08 },
    { hertz: 784, at: 0.24, lasts: 0.35, wave: "square", loud: 0.08 },
  ],
  count: [{ hertz: 440, at: 0, lasts: 0.09, wave: "sine", loud: 0.22 }],
  go: [{ hertz: 880, at: 0, lasts: 0.3, wave: "sine", loud: 0.24 }],
};
const SOFT = 0.0001;

let context: AudioContext | null = null;

export function play(cue: Cue): void {
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
  for (const tone of TONES[cue]) sound(context, tone);
}

function sound(audio: AudioContext, { hertz, to, at, lasts, wave, loud }: Tone): void {
  const begin = audio.currentTime + at;
  const tone = new OscillatorNode(audio, { type: wave, frequency: hertz });
  const volume = new GainNode(audio, { gain: SOFT });
  if (to !== undefined) tone.frequency.exponentialRampToValueAtTime(to, begin + lasts);
  volume.gain.setValueAtTime(SOFT, begin);
  volume.gain.exponentialRampToValueAtTime(loud, begin + 0.008);
  volume.gain.exponentialRampToValueAtTime(SOFT, begin + lasts);
  tone.connect(volume).connect(audio.destination);
  tone.start(begin);
  tone.stop(begin + lasts);
}
