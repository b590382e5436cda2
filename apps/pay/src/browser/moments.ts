/** Turns the server's UTC times into the shopper's own zone and spelling. */
export function localiseMoments(main: HTMLElement): void {
  for (const moment of main.querySelectorAll<HTMLTimeElement>("time[data-moment]")) {
    moment.textContent = new Date(moment.dateTime).toLocaleString(undefined, {
      dateStyle: "medium",
      timeStyle: "short",
    });
  }
}
