/** Two rising notes, in hertz, each for so many seconds. */
const NOTES = [880, 1_320] as const;
const NOTE_SECONDS = 0.16;
const LOUDNESS = 0.2;

/** The sound of a paid order. Browsers play it only after a press on the page. */
export function paidSound(): { allow(): void; play(): void } {
  let context: AudioContext | undefined;
  return {
    allow() {
      context ??= "AudioContext" in window ? new AudioContext() : undefined;
      void context?.resume();
    },
    play() {
      navigator.vibrate?.(200);
      if (context === undefined) return;
      for (const [index, hertz] of NOTES.entries()) {
        const [tone, volume] = [context.createOscillator(), context.createGain()];
        const startsAt = context.currentTime + index * NOTE_SECONDS;
        tone.frequency.value = hertz;
        volume.gain.value = LOUDNESS;
        tone.connect(volume).connect(context.destination);
        tone.start(startsAt);
        tone.stop(startsAt + NOTE_SECONDS);
      }
    },
  };
}
