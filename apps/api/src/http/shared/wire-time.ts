/** A time as the wire shows it: ISO 8601, whole seconds, `+00:00`. */
export const wireTime = (time: Date): string => time.toISOString().replace(/\.\d{3}Z$/, "+00:00");
