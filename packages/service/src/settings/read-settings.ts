import type { z } from "zod";
import { SettingsError } from "../settings-error.js";
import type { Kind } from "./kinds.js";

/**
 * One setting: all that the code, the start and the settings reference know of it. The comment above its entry gives its
 * purpose, with the unit; docs/settings.md is made from that too.
 */
export type Setting = {
  /** The environment variable. */
  name: string;
  kind: Kind<unknown>;
  /** What counts when it is left out, as it would be written. */
  default?: string | number;
  /** Only where there is no default: what happens when it is left out. Its value is then undefined. Without both it is required. */
  leftOut?: string;
  /** Never shown. */
  secret?: true;
};

/** Settings by the names that the code uses. */
export type SettingsTable = Readonly<Record<string, Setting>>;

export type SettingsOf<Table extends SettingsTable> = {
  [Key in keyof Table]:
    | z.output<Table[Key]["kind"]["schema"]>
    | (Table[Key] extends { leftOut: string } ? undefined : never);
};

/** Variables by name, usually `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Judges settings of which each can be used by itself. @returns the mistakes' sentences. */
export type SettingsRule = (read: ReadonlyMap<PropertyKey, unknown>) => string[];

/**
 * Makes rules between the settings of a table.
 * @returns a function that takes the names of what a rule reads, the blamed one first, and the rule: it answers the mistake's
 *   sentence, or false. Where one of them cannot be used by itself the rule is not asked.
 */
export const rulesOf =
  <Table extends SettingsTable>(table: Table) =>
  <Key extends keyof Table>(
    keys: readonly [Key, ...Key[]],
    refuse: (settings: Pick<SettingsOf<Table>, Key>) => string | false,
  ): SettingsRule =>
  (read) => {
    if (!keys.every((key) => read.has(key))) return [];
    const sentence = refuse(settingsOf(read));
    return sentence ? [`${table[keys[0]]?.name}: ${sentence}`] : [];
  };

/**
 * Reads the settings of a program. An empty variable counts as left out.
 * @throws SettingsError with every mistake of every setting, and of the rules between them.
 */
export function readSettings<Table extends SettingsTable>(
  table: Table,
  environment: Environment,
  rules: readonly SettingsRule[] = [],
): SettingsOf<Table> {
  const faults: string[] = [];
  const read = new Map<string, unknown>();
  for (const [key, setting] of Object.entries(table)) {
    const text = environment[setting.name] || setting.default?.toString();
    const parsed = text === undefined ? undefined : setting.kind.schema.safeParse(text);
    if (parsed?.success) read.set(key, parsed.data);
    else if (parsed) faults.push(...parsed.error.issues.map((issue) => `${setting.name}${describe(issue)}`));
    else if (setting.leftOut === undefined) faults.push(`${setting.name}: is required`);
    else read.set(key, undefined);
  }
  faults.push(...rules.flatMap((rule) => rule(read)));
  if (faults.length > 0) throw new SettingsError(faults.join("\n"));
  return settingsOf(read);
}

/** What a table's own schemas have read is what its type says. */
const settingsOf = <Settings>(read: ReadonlyMap<PropertyKey, unknown>) =>
  Object.fromEntries(read) as Settings;

/** Where inside the setting, if it is a list of things, and what is wrong. */
const describe = ({ path, message }: { path: PropertyKey[]; message: string }): string =>
  `${path.length === 0 ? "" : ` (${path.join(".")})`}: ${message}`;
