import { z } from "zod";

/** JSON text preserves the order of the keys. */
export const serializeMetadata = (metadata: Record<string, string> | undefined): string | null =>
  metadata === undefined ? null : JSON.stringify(metadata);

const stored = z.record(z.string(), z.string());

export const parseMetadata = ({ metadata }: { metadata: string | null }): Record<string, string> | null =>
  metadata === null ? null : stored.parse(JSON.parse(metadata));
