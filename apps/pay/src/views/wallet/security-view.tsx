import { browserName } from "@tillgate/service/web/browser-name";
import type { ReactNode } from "react";
import { WALLET_SECURITY } from "../../http/wallet-address";
import { Moment } from "../moment";
import { isAboutFields } from "../notice-box";
import { Phrase } from "../phrase";
import { PinField } from "../pin-field";
import { useWords } from "../use-words";
import { WalletForm } from "./wallet-form";
import { WalletFrame } from "./wallet-frame";
import type { ScreenOf } from "./wallet-screen";

/** Where the shopper is signed in, which devices the account knows, the passkeys, and the PIN. */
export function SecurityView(screen: ScreenOf<"security">): ReactNode {
  const { texts } = useWords();
  return (
    <WalletFrame {...screen} title={texts.account.nav.security} here={WALLET_SECURITY}>
      <ChangePin {...screen} />
      <Sessions {...screen} />
      <Devices {...screen} />
      <Passkeys {...screen} />
    </WalletFrame>
  );
}

function ChangePin({ view, notice }: ScreenOf<"security">): ReactNode {
  const { texts } = useWords();
  const wrong = isAboutFields(notice);
  return (
    <section className="card" aria-labelledby="pin-title">
      <h2 id="pin-title">{texts.account.pin.title}</h2>
      <p className="hint">{texts.account.pin.hint}</p>
      <WalletForm to={WALLET_SECURITY} view={view} step="change-pin" className="fields">
        <input
          className="unseen"
          type="text"
          autoComplete="username"
          value={ownName(view)}
          aria-hidden="true"
          tabIndex={-1}
          readOnly
        />
        <PinField label={texts.account.pin.old} testId="wallet-old-pin" wrong={wrong} />
        <PinField
          label={texts.account.pin.new}
          testId="wallet-new-pin"
          wrong={wrong}
          focus={false}
          name="new_pin"
        />
        <PinField
          label={texts.account.pin.repeat}
          testId="wallet-repeated-pin"
          wrong={wrong}
          focus={false}
          name="repeated_pin"
        />
        <button type="submit" className="button main" data-testid="wallet-change-pin">
          {texts.account.pin.submit}
        </button>
      </WalletForm>
    </section>
  );
}

/** Under which name a password manager keeps the PIN. */
const ownName = ({ shopper }: ScreenOf<"security">["view"]): string => shopper?.email ?? shopper?.phone ?? "";

function Browser({ browser, current }: { browser: string; current: boolean }): ReactNode {
  const { texts } = useWords();
  return (
    <span>
      <bdi>{browserName(browser) ?? texts.account.security.unknown}</bdi>
      {current ? <strong className="current"> {texts.account.security.current}</strong> : null}
    </span>
  );
}

function Sessions({ view, signIns }: ScreenOf<"security">): ReactNode {
  const { texts } = useWords();
  return (
    <section className="card" aria-labelledby="sessions-title">
      <h2 id="sessions-title">{texts.account.security.sessions}</h2>
      <ul className="sign-ins">
        {signIns.sessions.map(({ id, browser, signed_in_at, current }) => (
          <li key={id} data-testid="wallet-session" data-current={current || undefined}>
            <span className="what">
              <Browser browser={browser} current={current} />
              <small>
                <Phrase text={texts.account.security.signedInAt} place="time">
                  <Moment time={signed_in_at} />
                </Phrase>
              </small>
            </span>
            <WalletForm to={WALLET_SECURITY} view={view} step="end-session" id={id}>
              <button type="submit" className="button quiet" data-testid="wallet-end-session">
                {texts.account.signOut}
              </button>
            </WalletForm>
          </li>
        ))}
      </ul>
      <WalletForm to={WALLET_SECURITY} view={view} step="sign-out-everywhere">
        <button type="submit" className="button danger" data-testid="wallet-sign-out-everywhere">
          {texts.account.security.everywhere}
        </button>
      </WalletForm>
      <p className="hint">{texts.account.security.everywhereHint}</p>
    </section>
  );
}

function Devices({ view, signIns }: ScreenOf<"security">): ReactNode {
  const { texts } = useWords();
  return (
    <section className="card" aria-labelledby="devices-title">
      <h2 id="devices-title">{texts.account.security.devices}</h2>
      <p className="hint">{texts.account.security.devicesHint}</p>
      <ul className="sign-ins">
        {signIns.devices.map(({ id, browser, used_at, current }) => (
          <li key={id} data-testid="wallet-device" data-current={current || undefined}>
            <span className="what">
              <Browser browser={browser} current={current} />
              <small>
                <Phrase text={texts.account.security.usedAt} place="time">
                  <Moment time={used_at} />
                </Phrase>
              </small>
            </span>
            <WalletForm to={WALLET_SECURITY} view={view} step="forget-device" id={id}>
              <button type="submit" className="button quiet" data-testid="wallet-forget-device">
                {texts.account.security.forget}
              </button>
            </WalletForm>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Passkeys({ view, signIns: { passkeys } }: ScreenOf<"security">): ReactNode {
  const { texts } = useWords();
  return (
    <section className="card" aria-labelledby="passkeys-title">
      <h2 id="passkeys-title">{texts.passkey.title}</h2>
      {passkeys.length === 0 ? <p className="hint">{texts.passkey.none}</p> : null}
      <ul className="sign-ins">
        {passkeys.map(({ id, added_at, used_at }) => (
          <li key={id} data-testid="wallet-passkey">
            <span className="what">
              <span>
                <Phrase text={texts.passkey.addedAt} place="time">
                  <Moment time={added_at} />
                </Phrase>
              </span>
              {used_at === null ? null : (
                <small>
                  <Phrase text={texts.passkey.usedAt} place="time">
                    <Moment time={used_at} />
                  </Phrase>
                </small>
              )}
            </span>
            <WalletForm to={WALLET_SECURITY} view={view} step="revoke-passkey" id={id}>
              <button type="submit" className="button quiet" data-testid="wallet-revoke-passkey">
                {texts.passkey.remove}
              </button>
            </WalletForm>
          </li>
        ))}
      </ul>
    </section>
  );
}
