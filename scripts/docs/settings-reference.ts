import { readFileSync } from "node:fs";
import type { Setting, SettingsTable } from "@tillgate/service/settings";
import ts from "typescript";
import { z } from "zod";
import { events, listeners, requests, running, shoppers } from "../../apps/api/src/settings.js";
import { dashboardSettings } from "../../apps/dashboard/src/config.js";
import { paySettings } from "../../apps/pay/src/config.js";
import { storeSettings } from "../../apps/store/src/config.js";
import { connectorSettings } from "../../plugin/connector/src/config.js";
import { storeFields } from "../../plugin/connector/src/store-config.js";
import { upSettings } from "../../stack/src/production/settings.js";
import { stackSettings } from "../../stack/src/settings.js";

const rowOf = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

const tableOf = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [rowOf(head), rowOf(head.map(() => "---")), ...rows.map(rowOf)].join("\n");

function defaultOf(setting: Setting): string {
  if (setting.default !== undefined) return setting.default === "" ? "none" : `\`${setting.default}\``;
  return setting.ifUnset === undefined ? "**required**" : `unset: ${setting.ifUnset}`;
}

/** Doc comments of a file's settings, by environment variable, and of its other properties, by name. */
function readDescriptions(file: string): Map<string, string> {
  const path = new URL(`../../${file}`, import.meta.url);
  const source = ts.createSourceFile(file, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);
  const descriptions = new Map<string, string>();
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAssignment(node)) {
      const [comment] = ts.getJSDocCommentsAndTags(node);
      const text = comment && ts.getTextOfJSDocComment(comment.comment)?.replace(/\s+/g, " ");
      const variable = /name: "([A-Z_]+)"/.exec(node.initializer.getText(source))?.[1];
      if (text) descriptions.set(variable ?? node.name.getText(source), text);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return descriptions;
}

const common = readDescriptions("packages/service/src/settings/common.ts");

/** @param property property name, where a table reuses another table's setting */
function findDescription(descriptions: ReadonlyMap<string, string>, name: string, property = name): string {
  const found = descriptions.get(name) ?? descriptions.get(property) ?? common.get(name);
  if (found === undefined) throw new Error(`No comment describes ${name}.`);
  return found;
}

function settingsTable(table: SettingsTable, file: string): string {
  const descriptions = readDescriptions(file);
  return tableOf(
    ["Setting", "Default", "Limits", "Description"],
    Object.entries(table).map(([key, setting]) => [
      `\`${setting.name}\`${setting.secret ? " (secret)" : ""}`,
      defaultOf(setting),
      // Outside code Markdown would parse <…> as a link or an element.
      setting.kind.limit.includes("`") ? setting.kind.limit : setting.kind.limit.replaceAll("<", "\\<"),
      findDescription(descriptions, setting.name, key),
    ]),
  );
}

/** The fields of one store in `CONNECTOR_STORES`. */
function storeTable(): string {
  const { properties = {}, required = [] } = z.toJSONSchema(storeFields, { io: "input" });
  const descriptions = readDescriptions("plugin/connector/src/store-config.ts");
  const rows = Object.entries(properties).map(([name, field]) => {
    if (typeof field === "boolean") throw new Error(`The field ${name} has no schema.`);
    const { type, minimum, maximum, enum: values } = field;
    const limits =
      values?.join(", ") ??
      (type === "integer"
        ? `${minimum} to ${maximum}`
        : type === "object"
          ? Object.keys(field.properties ?? {}).join(", ")
          : "a text");
    const defaultText = field.default === undefined ? "left out" : `\`${String(field.default)}\``;
    const secret = name.endsWith("_secret") || type === "object" ? " (secret)" : "";
    return [
      `\`${name}\`${secret}`,
      required.includes(name) ? "**required**" : defaultText,
      limits,
      findDescription(descriptions, name),
    ];
  });
  return tableOf(["Field", "Default", "Limits", "Description"], rows);
}

/** Content of docs/settings.md. */
export const settingsReference = (): string => `# Settings

<!-- Made by \`npm run docs:settings\` from the tables that the programs read. -->

Every service reads its settings from the environment when it starts. An empty value counts as unset. Invalid settings prevent the start and are
reported all at once, one per line, without their values. Keep secret settings out of logs and repositories.

## npm start

\`npm start\` configures every service and passes these variables on from the shell: to the API names that begin with \`TILLGATE_\`, to the page
\`TILLGATE_PAY_\` and \`TILLGATE_API_\`, to the console \`TILLGATE_CONSOLE_\` and \`TILLGATE_API_\`, to the demo shop \`STORE_\`, and to the connector \`CONNECTOR_\`.

${settingsTable(stackSettings, "stack/src/settings.ts")}

## npm run up

Production reads one file of lines \`NAME=value\`, readable by its owner only. The file may also contain settings of the API, page and console, such as e-mail.
Settings that \`npm run up\` derives for the services are ignored there. [Run it in production](production.md) shows an example.

${settingsTable(upSettings, "stack/src/production/settings.ts")}

## The API

${settingsTable(running, "apps/api/src/settings.ts")}

### Addresses, keys and listeners

${settingsTable(listeners, "apps/api/src/settings.ts")}

In production, use different random keys.

### Shoppers

${settingsTable(shoppers, "apps/api/src/settings.ts")}

### API limits

${settingsTable(requests, "apps/api/src/settings.ts")}

### Webhooks, mail and retention

${settingsTable(events, "apps/api/src/settings.ts")}

## The hosted page

${settingsTable(paySettings, "apps/pay/src/config.ts")}

## The console

${settingsTable(dashboardSettings, "apps/dashboard/src/config.ts")}

## The connector

${settingsTable(connectorSettings, "plugin/connector/src/config.ts")}

A store in \`CONNECTOR_STORES\`:

${storeTable()}

## The demo shop

${settingsTable(storeSettings, "apps/store/src/config.ts")}
`;
