/** `npm run docs:settings`: writes docs/settings.md. */
import { writeFileSync } from "node:fs";
import { renderSettingsReference } from "./settings-reference.js";

writeFileSync(new URL("../../docs/settings.md", import.meta.url), renderSettingsReference());
