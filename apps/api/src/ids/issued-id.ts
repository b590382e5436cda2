const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text can be an issued id; PostgreSQL refuses to compare other texts with one. */
export const isIssuedId = (text: string): boolean => UUID.test(text);
