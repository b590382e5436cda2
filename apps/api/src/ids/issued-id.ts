const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text can be an id that was issued; PostgreSQL refuses to compare anything else with one. */
export const isIssuedId = (text: string): boolean => UUID.test(text);
