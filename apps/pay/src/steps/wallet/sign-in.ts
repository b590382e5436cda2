import { modeSchema, walletSignInRequestSchema } from "@tillgate/contract";
import { signInToWallet } from "../../edge/wallet-edge";
import { nextAddress, one } from "../../http/wallet-address";
import { keptIdentifier, signInFields } from "../sign-in-fields";
import { refusedFields, refusedStep, type Taken, type Visit, type WalletPage } from "./wallet-page";

/** The mode that the address names, else the one in which this installation's shoppers sign in. */
const modeOf = ({ query, view }: Visit) => modeSchema.safeParse(one(query, "mode")).data ?? view.usual_mode;

/** Signing in to the wallet. Who is signed in already goes on. */
export const signInPage: WalletPage = {
  signedIn: false,
  async show(visit, common) {
    const next = nextAddress(visit.query);
    if (visit.view.shopper !== null) return { to: next };
    return { kind: "sign_in", ...common, mode: modeOf(visit), next };
  },
  take: takeSignIn,
};

async function takeSignIn(visit: Visit, form: URLSearchParams): Promise<Taken> {
  const identifier = keptIdentifier(form);
  const fields = walletSignInRequestSchema.safeParse({ ...signInFields(form), mode: modeOf(visit) });
  if (!fields.success) return refusedFields(fields.error, identifier);
  const outcome = await signInToWallet(visit.caller, fields.data);
  if (!outcome.ok) {
    const refused = refusedStep(outcome);
    return "notice" in refused ? { ...refused, notice: { ...refused.notice, identifier } } : refused;
  }
  const { device, wrong_pins_before: _, ...session } = outcome.data;
  return { to: nextAddress(visit.query), session, device };
}
