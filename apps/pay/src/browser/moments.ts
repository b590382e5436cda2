/** Turns the server's UTC times into the shopper's own zone, in the spelling of the page. */
export function localiseMoments(main: HTMLElement): void {
  for (const moment of main.querySelectorAll<HTMLTimeElement>("time[data-moment]")) {
    moment.textContent = new Date(moment.dateTime).toLocaleString(moment.dataset.moment, {
      dateStyle: "medium",
      timeStyle: "short",
    });
  }
}
