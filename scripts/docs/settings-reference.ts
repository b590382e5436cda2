import type { Setting, SettingsTable } from "@tillgate/service/settings";
import { z } from "zod";
import { edges } from "../../apps/api/src/settings/edges.js";
import { events } from "../../apps/api/src/settings/events.js";
import { requests } from "../../apps/api/src/settings/requests.js";
import { running } from "../../apps/api/src/settings/running.js";
import { shoppers } from "../../apps/api/src/settings/shoppers.js";
import { paySettings } from "../../apps/pay/src/config.js";
import { storeSettings } from "../../apps/store/src/config.js";
import { connectorSettings } from "../../plugin/connector/src/config.js";
import { storeFields } from "../../plugin/connector/src/store-config.js";
import { stackSettings } from "../../stack/src/settings.js";

const rowOf = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

const tableOf = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [rowOf(head), rowOf(head.map(() => "---")), ...rows.map(rowOf)].join("\n");

function defaultOf(setting: Setting): string {
  if (setting.default !== undefined) return setting.default === "" ? "none" : `\`${setting.default}\``;
  return setting.leftOut === undefined ? "**required**" : `left out: ${setting.leftOut}`;
}

const settingsTable = (table: SettingsTable): string =>
  tableOf(
    ["Setting", "Default", "Limits", "What it is for"],
    Object.values(table).map((setting) => [
      `\`${setting.name}\`${setting.secret ? " (secret)" : ""}`,
      defaultOf(setting),
      // Outside code Markdown would take <…> for an address or an element.
      setting.kind.limit.includes("`") ? setting.kind.limit : setting.kind.limit.replaceAll("<", "\\<"),
      setting.about,
    ]),
  );

/** The fields of one store in `CONNECTOR_STORES`. */
function storeTable(): string {
  const { properties = {}, required = [] } = z.toJSONSchema(storeFields, { io: "input" });
  const rows = Object.entries(properties).map(([name, field]) => {
    if (typeof field === "boolean") throw new Error(`The field ${name} says nothing.`);
    const { type, minimum, maximum, enum: values, description = "" } = field;
    const limits = values?.join(", ") ?? (type === "integer" ? `${minimum} to ${maximum}` : "a text");
    const standard = field.default === undefined ? "left out" : `\`${String(field.default)}\``;
    const secret = name.endsWith("_secret") ? " (secret)" : "";
    return [`\`${name}\`${secret}`, required.includes(name) ? "**required**" : standard, limits, description];
  });
  return tableOf(["Field", "Default", "Limits", "What it is for"], rows);
}

/** The text of docs/settings.md. */
export const settingsReference = (): string => `# Settings

<!-- Made by \`npm run docs:settings\` from the tables that the programs read. -->

Every program reads its settings from the environment, once, when it starts. An empty one counts as left out. Mistakes stop the start: each is told
in a line of its own, all at once, and never with its value. Secret ones belong into no log and no repository.

## npm start

\`npm start\` gives every service what it needs and takes the rest over from the shell: for the api names that begin with \`TILLGATE_\`, for the page
\`TILLGATE_PAY_\` and \`TILLGATE_API_\`, for the demo shop \`STORE_\`, for the connector \`CONNECTOR_\`.

${settingsTable(stackSettings)}

## The api

${settingsTable(running)}

### Who may call what

${settingsTable(edges)}

In production keys must be drawn at random, and differ.

### Shoppers

${settingsTable(shoppers)}

### Merchants' programs

${settingsTable(requests)}

### Webhooks, mail and what is kept

${settingsTable(events)}

## The hosted page

${settingsTable(paySettings)}

## The connector

${settingsTable(connectorSettings)}

A store in \`CONNECTOR_STORES\`:

${storeTable()}

## The demo shop

${settingsTable(storeSettings)}
`;
