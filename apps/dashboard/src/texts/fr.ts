import { account } from "./fr/account";
import { administration } from "./fr/administration";
import { developers } from "./fr/developers";
import { errors } from "./fr/errors";
import { frame } from "./fr/frame";
import { home } from "./fr/home";
import { linksAndTills } from "./fr/links-and-tills";
import { lists } from "./fr/lists";
import { payments } from "./fr/payments";
import { payouts } from "./fr/payouts";
import { settings } from "./fr/settings";
import { webhooks } from "./fr/webhooks";

export const fr = {
  ...frame,
  ...account,
  ...home,
  ...lists,
  ...payments,
  ...payouts,
  ...linksAndTills,
  ...developers,
  ...webhooks,
  ...settings,
  ...administration,
  ...errors,
};
