/**
 * Client ids and secrets by their beginnings, so that one pasted in place of the other is refused before it is stored or
 * shown: an id stands in logs and on screens, a secret must not. A credential of another maker's shape passes.
 */

/** `tg_test_…`, `tg_live_…` */
const CLIENT_ID = /^tg_/;
/** `tgs_test_…`, `tgs_live_…` */
const CLIENT_SECRET = /^tgs_/;

export const isNoSecret = (clientId: string): boolean => !CLIENT_SECRET.test(clientId);
export const isNoClientId = (clientSecret: string): boolean => !CLIENT_ID.test(clientSecret);

export const SECRET_AS_ID = "is a client secret; the client id begins with tg_test_ or tg_live_";
export const ID_AS_SECRET = "is a client id; the client secret begins with tgs_test_ or tgs_live_";
