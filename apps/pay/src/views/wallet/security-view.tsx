import { getBrowserName } from "@tillgate/service/web/visitor";
import type { ReactNode } from "react";
import { WALLET_SECURITY } from "#http/addresses.ts";
import { PinField } from "#views/fields.tsx";
import { LocalTime, Phrase, useLocalization } from "#views/localization.tsx";
import { NewPinFields, useFieldStates } from "./fields";
import { WalletForm, WalletFrame } from "./wallet-frame";
import type { ScreenOf } from "./wallet-screen";

export function SecurityView(screen: ScreenOf<"security">): ReactNode {
  const { texts } = useLocalization();
  return (
    <WalletFrame {...screen} title={texts.account.nav.security} here={WALLET_SECURITY}>
      <ChangePin {...screen} />
      <Sessions {...screen} />
      <Devices {...screen} />
      <Passkeys {...screen} />
    </WalletFrame>
  );
}

function ChangePin(screen: ScreenOf<"security">): ReactNode {
  const { texts } = useLocalization();
  const stateOf = useFieldStates(screen);
  const { view } = screen;
  return (
    <section className="card" aria-labelledby="pin-title">
      <h2 id="pin-title">{texts.account.pin.title}</h2>
      <p className="hint">{texts.account.pin.hint}</p>
      <WalletForm to={WALLET_SECURITY} view={view} step="change-pin" className="fields">
        <input
          className="unseen"
          type="text"
          autoComplete="username"
          value={getUsername(view)}
          aria-hidden="true"
          tabIndex={-1}
          readOnly
        />
        <PinField label={texts.account.pin.old} testId="wallet-old-pin" {...stateOf("pin")} />
        <NewPinFields stateOf={stateOf} />
        <button type="submit" className="button main" data-testid="wallet-change-pin">
          {texts.account.pin.submit}
        </button>
      </WalletForm>
    </section>
  );
}

/** Returns the username under which a password manager saves the PIN. */
const getUsername = ({ shopper }: ScreenOf<"security">["view"]): string =>
  shopper?.email ?? shopper?.phone ?? "";

function Browser({ browser, current }: { browser: string; current: boolean }): ReactNode {
  const { texts } = useLocalization();
  return (
    <span>
      <bdi>{getBrowserName(browser) ?? texts.account.security.unknown}</bdi>{" "}
      {current ? <strong className="current">{texts.account.security.current}</strong> : null}
    </span>
  );
}

function ListItem({
  view,
  name,
  id,
  step,
  button,
  current = false,
  children,
}: {
  view: ScreenOf<"security">["view"];
  name: string;
  id: string;
  step: string;
  button: string;
  current?: boolean;
  children: ReactNode;
}): ReactNode {
  return (
    <li data-testid={`wallet-${name}`} data-current={current || undefined}>
      <span className="what">{children}</span>
      <WalletForm to={WALLET_SECURITY} view={view} step={step} id={id}>
        <button type="submit" className="button quiet" data-testid={`wallet-${step}`}>
          {button}
        </button>
      </WalletForm>
    </li>
  );
}

function At({ text, time }: { text: string; time: string }): ReactNode {
  return (
    <Phrase text={text} placeholder="time">
      <LocalTime time={time} />
    </Phrase>
  );
}

function Sessions({ view, signIns }: ScreenOf<"security">): ReactNode {
  const { texts } = useLocalization();
  return (
    <section className="card" aria-labelledby="sessions-title">
      <h2 id="sessions-title">{texts.account.security.sessions}</h2>
      <ul className="sign-ins">
        {signIns.sessions.map(({ id, browser, signed_in_at, current }) => (
          <ListItem
            key={id}
            {...{ view, id, current }}
            name="session"
            step="end-session"
            button={texts.account.signOut}
          >
            <Browser browser={browser} current={current} />
            <small>
              <At text={texts.account.security.signedInAt} time={signed_in_at} />
            </small>
          </ListItem>
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
  const { texts } = useLocalization();
  return (
    <section className="card" aria-labelledby="devices-title">
      <h2 id="devices-title">{texts.account.security.devices}</h2>
      <p className="hint">{texts.account.security.devicesHint}</p>
      <ul className="sign-ins">
        {signIns.devices.map(({ id, browser, used_at, current }) => (
          <ListItem
            key={id}
            {...{ view, id, current }}
            name="device"
            step="forget-device"
            button={texts.account.security.forget}
          >
            <Browser browser={browser} current={current} />
            <small>
              <At text={texts.account.security.usedAt} time={used_at} />
            </small>
          </ListItem>
        ))}
      </ul>
    </section>
  );
}

function Passkeys({ view, signIns: { passkeys } }: ScreenOf<"security">): ReactNode {
  const { texts } = useLocalization();
  return (
    <section className="card" aria-labelledby="passkeys-title">
      <h2 id="passkeys-title">{texts.passkey.title}</h2>
      {passkeys.length === 0 ? <p className="hint">{texts.passkey.none}</p> : null}
      <ul className="sign-ins">
        {passkeys.map(({ id, added_at, used_at }) => (
          <ListItem
            key={id}
            {...{ view, id }}
            name="passkey"
            step="revoke-passkey"
            button={texts.passkey.remove}
          >
            <span>
              <At text={texts.passkey.addedAt} time={added_at} />
            </span>
            {used_at === null ? null : (
              <small>
                <At text={texts.passkey.usedAt} time={used_at} />
              </small>
            )}
          </ListItem>
        ))}
      </ul>
    </section>
  );
}
