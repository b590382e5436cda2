import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { MigrationError } from "./migration-error.js";
import { computeChecksum } from "./migration-files.js";

/** Function names are unique: there is no overloading. */
export type Definition =
  | { kind: "function"; name: string }
  | { kind: "trigger" | "check"; name: string; table: string };

export type DefinitionFile = {
  /** Path below the root, such as `functions/orders/create-orders.sql`. */
  name: string;
  sql: string;
  /** Of the file without comments outside function bodies, because applying a file again locks and scans its tables. */
  checksum: string;
  defines: Definition[];
};

export type DefinitionsOptions = {
  root: string;
  /** Folders below the root, in the order in which they are applied, with all `.sql` files at any depth. */
  folders: readonly string[];
};

const statements: readonly ((statement: string) => Definition[] | undefined)[] = [
  (statement) => {
    const match = /^CREATE OR REPLACE FUNCTION (\w+)\s*\(/.exec(statement);
    return match?.[1] === undefined ? undefined : [{ kind: "function", name: match[1] }];
  },
  (statement) => {
    const match = /^CREATE (?:CONSTRAINT )?TRIGGER (\w+)\s[\s\S]*?\sON (\w+)\s/.exec(statement);
    if (match?.[1] === undefined || match[2] === undefined) return undefined;
    return [{ kind: "trigger", name: match[1], table: match[2] }];
  },
  (statement) => {
    const table = /^ALTER TABLE (\w+)\s+ADD CONSTRAINT \w+ CHECK\b/.exec(statement)?.[1];
    const names = [...statement.matchAll(/\bADD CONSTRAINT (\w+) CHECK\b/g)].map(([, name = ""]) => name);
    if (table === undefined || names.length !== statement.match(/\bADD\b/g)?.length) return undefined;
    return names.map((name) => ({ kind: "check" as const, name, table }));
  },
];

/** @throws MigrationError `unreadable` for an unreadable file, an unsupported statement, several functions in a file, or a repeated definition. */
export function readDefinitions({ root, folders }: DefinitionsOptions): DefinitionFile[] {
  const files = folders.flatMap((folder) =>
    listFiles(root, folder).map((name) => {
      const sql = read(path.join(root, name));
      const checksum = computeChecksum(stripComments(sql));
      return { name, sql, checksum, defines: parseDefinitions(name, sql) };
    }),
  );
  const owners = new Map<string, string>();
  const crowded = files.find(({ defines }) => defines.filter(({ kind }) => kind === "function").length > 1);
  if (crowded)
    throw unreadableError(
      crowded.name,
      `${crowded.name} defines several functions. Put each into a separate file.`,
    );
  for (const { name, defines } of files)
    for (const definition of defines) {
      const key = describeDefinition(definition);
      const otherFile = owners.get(key);
      if (otherFile !== undefined)
        throw unreadableError(name, `${name} and ${otherFile} both define ${key}.`);
      owners.set(key, name);
    }
  return files;
}

export function describeDefinition(definition: Definition): string {
  if (definition.kind === "function") return `function ${definition.name}`;
  return `${definition.kind} ${definition.table}.${definition.name}`;
}

const MAX_QUOTED_CHARACTERS = 80;

/** Block comments, quoted identifiers, strings with escapes, and all but printable ASCII: {@link stripComments} would misread them. */
const UNSUPPORTED = /\/\*|"|\b(?:E|U&)''|[^ -~]/i;

/** @throws MigrationError `unreadable` with the first unsupported statement. */
function parseDefinitions(name: string, sql: string): Definition[] {
  return splitStatements(sql).flatMap((statement) => {
    const unsupported = UNSUPPORTED.exec(statement)?.[0];
    if (unsupported !== undefined)
      throw unreadableError(
        name,
        `${name} contains ${unsupported} outside a string, function body or comment.`,
      );
    for (const read of statements) {
      const definitions = read(statement);
      if (definitions) return definitions;
    }
    const start = statement.slice(0, MAX_QUOTED_CHARACTERS);
    const message =
      `${name} contains "${start}". Definition files may contain only CREATE OR REPLACE FUNCTION, CREATE [CONSTRAINT] TRIGGER ` +
      "and ALTER TABLE … ADD CONSTRAINT … CHECK, with plain lowercase names. Put anything else into a migration.";
    throw unreadableError(name, message);
  });
}

/** The start of a comment, function body or string. */
const OPENING = /--|\$\w*\$|'/;

/** Removes comments and superfluous white space. @param replaceLiteral receives each string and function body */
function stripComments(sql: string, replaceLiteral = (literal: string) => literal): string {
  let code = "";
  const addCode = (text: string) => {
    const spaced = text.replaceAll(/[ \t\n]+/g, " ");
    code += code === "" || code.endsWith(" ") ? spaced.replace(/^ /, "") : spaced;
  };
  for (let remaining = sql; ; ) {
    const match = OPENING.exec(remaining);
    if (!match) {
      addCode(remaining);
      return code.replace(/ $/, "");
    }
    const [opening] = match;
    const closing = opening === "--" ? "\n" : opening;
    const end = remaining.indexOf(closing, match.index + opening.length);
    const next = end < 0 ? remaining.length : end + closing.length;
    addCode(remaining.slice(0, match.index));
    if (opening === "--") addCode(" ");
    else code += replaceLiteral(remaining.slice(match.index, next));
    remaining = remaining.slice(next);
  }
}

/** Splits a script into statements. Semicolons and keywords in comments, bodies and strings do not count. */
function splitStatements(sql: string): string[] {
  return stripComments(sql, () => "''")
    .split(";")
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "");
}

function listFiles(root: string, folder: string): string[] {
  try {
    return readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".sql"))
      .map((file) => path.posix.join(folder, ...file.split(path.sep)))
      .sort();
  } catch (cause) {
    throw unreadableError(folder, `The folder ${path.join(root, folder)} cannot be read.`, cause);
  }
}

function read(file: string): string {
  try {
    // The line endings of a checkout are not a change.
    return readFileSync(file, "utf8").replaceAll(/\r\n?/g, "\n");
  } catch (cause) {
    throw unreadableError(file, `${file} cannot be read.`, cause);
  }
}

const unreadableError = (name: string, message: string, cause?: unknown): MigrationError =>
  new MigrationError("unreadable", message, name, cause === undefined ? {} : { cause });
