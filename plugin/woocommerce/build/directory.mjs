import { readFileSync } from "node:fs";
import path from "node:path";

/** Images of the guide, in the order of the readme's "Screenshots" section. */
const screenshots = ["settings", "checkout", "qr", "order", "health"];

/** Returns the assets of the plugin's page on WordPress.org. @param {string} packageFolder @returns {Map<string, Buffer>} contents by file name */
export function directoryFiles(packageFolder) {
  const images = path.join(packageFolder, "../../docs/images");
  return new Map([
    ["icon.svg", readFileSync(path.join(packageFolder, "src/assets/tillgate.svg"))],
    ...screenshots.map((name, index) => [
      `screenshot-${index + 1}.png`,
      readFileSync(path.join(images, `woocommerce-${name}.png`)),
    ]),
  ]);
}
