import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Setting, SettingsTable } from "@tillgate/service/settings";
import { z } from "zod";
import { MACHINE_SETTINGS } from "../inherited-settings.js";
import { generateSecrets } from "../secrets.js";
import { defineProductionServices, productionServices } from "./services.js";
import { readUpSettings, upSettings } from "./settings.js";

/** Built settings module of each service, and the name of the export with its settings table. */
const SETTINGS_MODULES = {
  api: ["apps/api/dist/config.js", "apiSettings"],
  pay: ["apps/pay/.next/standalone/apps/pay/config.js", "paySettings"],
  dashboard: ["apps/dashboard/.next/standalone/apps/dashboard/config.js", "dashboardSettings"],
} as const satisfies Record<(typeof productionServices)[number], readonly [string, string]>;

/** Names that only Tillgate reads. Other names, such as NODE_ENV and HOST, are often set for every program of a machine. */
const OURS = /^(TILLGATE|DATABASE)_|^PORT$/;
/** Maximum edits of a misspelt name, as a share of its length. */
const MAX_EDIT_SHARE = 1 / 3;
const EXAMPLE = {
  settings: readUpSettings({
    TILLGATE_DATA_DIR: "/nonexistent",
    TILLGATE_API_PUBLIC_URL: "https://api.example.com",
    TILLGATE_PAY_URL: "https://pay.example.com",
    TILLGATE_CONSOLE_URL: "https://console.example.com",
    TILLGATE_ACME_EMAIL: "you@example.com",
  }),
  databaseUrls: {
    api: "postgresql://tillgate_api@127.0.0.1/tillgate",
    apiOwner: "postgresql://tillgate@127.0.0.1/tillgate",
    apiRole: "tillgate_api",
  },
};

const serviceModule = z.object({
  readConfig: z.custom<(environment: NodeJS.ProcessEnv) => unknown>((value) => typeof value === "function"),
  table: z.custom<SettingsTable>((value) => typeof value === "object"),
});

export type SettingsCheck = {
  mistakes: string[];
  /** Settings of all processes, by variable. */
  known: ReadonlyMap<string, Setting>;
};

/**
 * Checks the settings of every process with that process's own rules, before any process starts.
 * @param fileSettings variables of the settings file, which override `environment`.
 */
export async function checkSettings(
  root: string,
  fileSettings: NodeJS.ProcessEnv,
  environment: NodeJS.ProcessEnv,
): Promise<SettingsCheck> {
  const known = new Map<string, Setting>();
  const add = (table: SettingsTable): void => {
    for (const setting of Object.values(table)) known.set(setting.name, setting);
  };
  const mistakes = [...collectProblems(() => readUpSettings(fileSettings))];
  // Placeholders for variables that `npm run up` sets itself. The settings that determine them are checked above.
  const example = { ...EXAMPLE, root, secrets: generateSecrets() };
  const definitions = defineProductionServices({ ...example, environment });
  const managed = new Set(
    defineProductionServices({ ...example, environment: {} }).flatMap((own) => Object.keys(own.environment)),
  );
  for (const [at, name] of productionServices.entries()) {
    const [file, table] = SETTINGS_MODULES[name];
    const exported = await import(pathToFileURL(path.join(root, file)).href);
    const service = serviceModule.parse({ readConfig: exported.readConfig, table: exported[table] });
    add(service.table);
    mistakes.push(...collectProblems(() => service.readConfig(definitions[at]?.environment ?? {})));
  }
  add(upSettings);
  const own = new Set(Object.values<Setting>(upSettings).map(({ name }) => name));
  for (const name of Object.keys(fileSettings)) {
    // A name with a space is a malformed line, which the caller reports.
    if (own.has(name) || MACHINE_SETTINGS.has(name) || !/^\w+$/.test(name)) continue;
    if (managed.has(name) && OURS.test(name))
      mistakes.push(`${name}: is set by npm run up and has no effect here; remove it`);
    else if (!managed.has(name) && !known.has(name))
      mistakes.push(...describeUnknown(name, [...known.keys()]));
  }
  return { mistakes: [...new Set(mistakes)], known };
}

/** @returns the lines of the settings error that `read` throws; empty if it succeeds. @throws any error that is not about settings. */
function collectProblems(read: () => unknown): string[] {
  try {
    read();
    return [];
  } catch (error) {
    // A bundled program has a separate copy of the class.
    if (error instanceof Error && ["SettingsError", "StackError"].includes(error.name))
      return error.message.split("\n");
    throw error;
  }
}

function describeUnknown(name: string, known: readonly string[]): string[] {
  const [nearest] = known
    .map((candidate) => ({ candidate, edits: countEdits(name, candidate) }))
    .filter(({ candidate, edits }) => edits <= candidate.length * MAX_EDIT_SHARE)
    .sort((one, other) => one.edits - other.edits);
  // Probably a variable of another program.
  if (nearest === undefined && !/^(TILLGATE|DATABASE)_/.test(name)) return [];
  const hint = nearest ? `Did you mean ${nearest.candidate}?` : "See docs/settings.md";
  return [`${name}: is not a setting. ${hint}`];
}

function countEdits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [at, letter] of [...from].entries()) {
    const next = [at + 1];
    for (const [column, other] of [...to].entries())
      next.push(
        Math.min(
          (next[column] ?? 0) + 1,
          (row[column + 1] ?? 0) + 1,
          (row[column] ?? 0) + (letter === other ? 0 : 1),
        ),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
}
