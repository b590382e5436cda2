/** Counts down to each time marked with `data-ends`. @returns a function that stops the countdowns */
export function startCountdowns(within: ParentNode): () => void {
  const timers = [...within.querySelectorAll<HTMLTimeElement>("time[data-ends]")].map((shown) => {
    const end = Date.parse(shown.dateTime);
    const tick = () => {
      const secondsLeft = Math.max(0, Math.ceil((end - Date.now()) / 1000));
      const parts = [Math.floor(secondsLeft / 3600), Math.floor(secondsLeft / 60) % 60, secondsLeft % 60];
      const shownParts = parts[0] === 0 ? parts.slice(1) : parts;
      shown.textContent = shownParts
        .map((part, at) => (at === 0 ? String(part) : String(part).padStart(2, "0")))
        .join(":");
    };
    tick();
    return setInterval(tick, 1000);
  });
  return () => {
    for (const timer of timers) clearInterval(timer);
  };
}
