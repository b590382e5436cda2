import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { type CBORType, encodeCBOR } from "@levischuck/tiny-cbor";

const sha256 = (data: string | Uint8Array): Buffer => createHash("sha256").update(data).digest();
const base64url = (data: Uint8Array): string => Buffer.from(data).toString("base64url");

/** Authenticator data flags of WebAuthn. */
const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const ATTESTED_CREDENTIAL = 0x40;

type Options = { challenge: string };
type AuthenticatorState = { origin: string; rpId: string; verified: boolean };

/** Simulates a passkey and its browser. Tests can forge the origin, the RP ID and the user verification. */
export class Authenticator {
  readonly #id = randomBytes(32);
  readonly #privateKey: KeyObject;
  readonly #publicKey: KeyObject;
  counter = 0;

  readonly #state: AuthenticatorState;

  constructor(origin: string, rpId = new URL(origin).hostname) {
    this.#state = { origin, rpId, verified: true };
    const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
    this.#privateKey = pair.privateKey;
    this.#publicKey = pair.publicKey;
  }

  /**
   * Returns a registration response, as `navigator.credentials.create` does.
   * @param forged overrides of the real state
   */
  create({ challenge }: Options, forged: Partial<AuthenticatorState> = {}) {
    const state = { ...this.#state, ...forged };
    const { x = "", y = "" } = this.#publicKey.export({ format: "jwk" });
    const key = new Map<number, CBORType>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, new Uint8Array(Buffer.from(x, "base64url"))],
      [-3, new Uint8Array(Buffer.from(y, "base64url"))],
    ]);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.#id.length);
    const credential = Buffer.concat([Buffer.alloc(16), length, this.#id, encodeCBOR(key)]);
    const attestation = new Map<string, CBORType>([
      ["fmt", "none"],
      ["attStmt", new Map()],
      ["authData", new Uint8Array(this.#authenticatorData(state, ATTESTED_CREDENTIAL, credential))],
    ]);
    return {
      ...this.#named(),
      response: {
        clientDataJSON: base64url(this.#clientData(state, "webauthn.create", challenge)),
        attestationObject: base64url(encodeCBOR(attestation)),
        transports: ["internal"],
      },
    };
  }

  /**
   * Returns a sign-in response, as `navigator.credentials.get` does.
   * @param forged overrides of the real state
   */
  sign({ challenge }: Options, forged: Partial<AuthenticatorState> = {}) {
    this.counter += 1;
    const state = { ...this.#state, ...forged };
    const clientData = this.#clientData(state, "webauthn.get", challenge);
    const data = this.#authenticatorData(state, 0);
    const signature = sign("sha256", Buffer.concat([data, sha256(clientData)]), this.#privateKey);
    return {
      ...this.#named(),
      response: {
        clientDataJSON: base64url(clientData),
        authenticatorData: base64url(data),
        signature: base64url(signature),
      },
    };
  }

  #named() {
    const id = base64url(this.#id);
    return { id, rawId: id, type: "public-key" as const, clientExtensionResults: {} };
  }

  #clientData({ origin }: AuthenticatorState, type: string, challenge: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  #authenticatorData(
    { rpId, verified }: AuthenticatorState,
    flags: number,
    credential: Uint8Array = Buffer.alloc(0),
  ): Buffer {
    const head = Buffer.alloc(5);
    head.writeUInt8(USER_PRESENT | (verified ? USER_VERIFIED : 0) | flags);
    head.writeUInt32BE(this.counter, 1);
    return Buffer.concat([sha256(rpId), head, credential]);
  }
}
