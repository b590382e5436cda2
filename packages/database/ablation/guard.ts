export type GuardKind =
  | "trigger"
  | "check"
  | "foreign key"
  | "unique index"
  | "row lock"
  | "condition"
  | "comparison";

export type Guard = {
  kind: GuardKind;
  /** Unique within its kind, and stable while the guard is unchanged. */
  name: string;
  /** Its table or function. */
  of: string;
  /** The function that contains the guard, or that the trigger calls. */
  calls: string | null;
  /** What it enforces, as PostgreSQL prints it; in a function, what replaces it. */
  holds: string;
  /** Runs as superuser on a copy of the template database. */
  ablation: string;
};
