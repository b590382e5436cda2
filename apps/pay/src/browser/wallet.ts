import { localizeTimes, startPrinting } from "./page";

/** The wallet's only script: local times and printing. The pages work without the script. */
document.documentElement.classList.add("scripted");
for (const main of document.querySelectorAll("main")) {
  localizeTimes(main);
  startPrinting(main);
}
