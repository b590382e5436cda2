import type { z } from "zod";
import { SettingsError } from "../settings-error.js";
import type { Kind } from "./kinds.js";

/** The comment above an entry describes its purpose and unit; docs/settings.md includes it. */
export type Setting = {
  name: string;
  kind: Kind<unknown>;
  /** The value as written in the environment. */
  default?: string | number;
  /** What happens if the setting is unset, which makes its value undefined. A setting with neither this nor a default is required. */
  ifUnset?: string;
  /** Never printed or logged. */
  secret?: true;
};

export type SettingsTable = Readonly<Record<string, Setting>>;

export type SettingsOf<Table extends SettingsTable> = {
  [Key in keyof Table]:
    | z.output<Table[Key]["kind"]["schema"]>
    | (Table[Key] extends { ifUnset: string } ? undefined : never);
};

/** Usually `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Checks settings that are individually valid. @returns error messages. */
export type SettingsRule = (read: ReadonlyMap<PropertyKey, unknown>) => string[];

/**
 * @returns a function that defines a rule: it takes the keys of the settings that the rule reads, starting with the one to name in the error, and a
 * check that returns an error message or false. The check runs only if all these settings are valid.
 */
export const rulesFor =
  <Table extends SettingsTable>(table: Table) =>
  <Key extends keyof Table>(
    keys: readonly [Key, ...Key[]],
    validate: (settings: Pick<SettingsOf<Table>, Key>) => string | false,
  ): SettingsRule =>
  (read) => {
    if (!keys.every((key) => read.has(key))) return [];
    const message = validate(toSettings(read));
    return message ? [`${table[keys[0]]?.name}: ${message}`] : [];
  };

/** Reads the settings of a process. Empty variables count as unset. @throws SettingsError with all errors of all settings and rules. */
export function readSettings<Table extends SettingsTable>(
  table: Table,
  environment: Environment,
  rules: readonly SettingsRule[] = [],
): SettingsOf<Table> {
  const errors: string[] = [];
  const read = new Map<string, unknown>();
  for (const [key, setting] of Object.entries(table)) {
    const text = environment[setting.name] || setting.default?.toString();
    const parsed = text === undefined ? undefined : setting.kind.schema.safeParse(text);
    if (parsed?.success) read.set(key, parsed.data);
    else if (parsed) errors.push(...parsed.error.issues.map((issue) => `${setting.name}${describe(issue)}`));
    else if (setting.ifUnset === undefined) errors.push(`${setting.name}: is required`);
    else read.set(key, undefined);
  }
  errors.push(...rules.flatMap((rule) => rule(read)));
  if (errors.length > 0) throw new SettingsError(errors.join("\n"));
  return toSettings(read);
}

/** The table's schemas guarantee the type. */
const toSettings = <Settings>(read: ReadonlyMap<PropertyKey, unknown>) =>
  Object.fromEntries(read) as Settings;

/** Formats an error message, with the path inside a list. */
const describe = ({ path, message }: { path: PropertyKey[]; message: string }): string =>
  `${path.length === 0 ? "" : ` (${path.join(".")})`}: ${message}`;
