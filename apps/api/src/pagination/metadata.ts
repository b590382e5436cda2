import { z } from "zod";

/** Serializes `metadata` for the database, as JSON text, which preserves the order of its keys. */
export const serializeMetadata = (metadata: Record<string, string> | undefined): string | null =>
  metadata === undefined ? null : JSON.stringify(metadata);

const stored = z.record(z.string(), z.string());

/** Parses stored `metadata`. */
export const parseMetadata = ({ metadata }: { metadata: string | null }): Record<string, string> | null =>
  metadata === null ? null : stored.parse(JSON.parse(metadata));
