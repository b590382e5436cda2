import type { Language } from "./languages";

type PasskeyTexts = {
  recognised: string;
  pay: string;
  usePin: string;
  notUsed: string;
  noSupport: string;
  offer: string;
  offerText: string;
  add: string;
  addBusy: string;
  notAdded: string;
  known: string;
  /** For a browser that knows no passkeys, where one would be added. */
  cannotAdd: string;
  /** The wallet's list of them. */
  title: string;
  none: string;
  addedAt: string;
  usedAt: string;
  remove: string;
};

/** The texts about passkeys, a catalogue's part of each language. */
export const PASSKEY_TEXTS = {
  en: {
    recognised: "Welcome back, {name}",
    pay: "Pay {amount} with your passkey",
    usePin: "Use your PIN instead",
    notUsed: "No passkey was used, so nothing was paid. Try again, or use your PIN.",
    noSupport: "This browser knows no passkeys. Use your PIN.",
    offer: "Pay without the PIN next time?",
    offerText:
      "With a passkey you confirm payments on this device by finger, face or screen lock. Your PIN still works.",
    add: "Add a passkey",
    addBusy: "Adding the passkey…",
    notAdded: "No passkey was added. You can try again.",
    known: "This device has a passkey of yours already.",
    cannotAdd: "This browser knows no passkeys.",
    title: "Passkeys",
    none: "None yet. Your receipt offers one after a payment with your PIN.",
    addedAt: "Added on {time}",
    usedAt: "Last used on {time}",
    remove: "Remove",
  },
  fr: {
    recognised: "Bon retour, {name}",
    pay: "Payer {amount} avec votre clé d’accès",
    usePin: "Utiliser plutôt votre code PIN",
    notUsed:
      "Aucune clé d’accès n’a été utilisée, rien n’a donc été payé. Réessayez ou utilisez votre code PIN.",
    noSupport: "Ce navigateur ne connaît pas les clés d’accès. Utilisez votre code PIN.",
    offer: "Payer sans code PIN la prochaine fois ?",
    offerText:
      "Avec une clé d’accès, vous confirmez vos paiements sur cet appareil par le doigt, le visage ou le verrouillage de l’écran. Votre code PIN reste valable.",
    add: "Ajouter une clé d’accès",
    addBusy: "Ajout de la clé d’accès…",
    notAdded: "Aucune clé d’accès n’a été ajoutée. Vous pouvez réessayer.",
    known: "Cet appareil a déjà une clé d’accès à vous.",
    cannotAdd: "Ce navigateur ne connaît pas les clés d’accès.",
    title: "Clés d’accès",
    none: "Aucune pour l’instant. Votre reçu en propose une après un paiement avec votre code PIN.",
    addedAt: "Ajoutée le {time}",
    usedAt: "Utilisée en dernier le {time}",
    remove: "Supprimer",
  },
  de: {
    recognised: "Willkommen zurück, {name}",
    pay: "{amount} mit Ihrem Passkey zahlen",
    usePin: "Stattdessen Ihre PIN verwenden",
    notUsed:
      "Es wurde kein Passkey verwendet und nichts bezahlt. Versuchen Sie es noch einmal oder verwenden Sie Ihre PIN.",
    noSupport: "Dieser Browser kennt keine Passkeys. Verwenden Sie Ihre PIN.",
    offer: "Nächstes Mal ohne PIN zahlen?",
    offerText:
      "Mit einem Passkey bestätigen Sie Zahlungen auf diesem Gerät mit Finger, Gesicht oder Displaysperre. Ihre PIN gilt weiterhin.",
    add: "Passkey hinzufügen",
    addBusy: "Passkey wird hinzugefügt…",
    notAdded: "Es wurde kein Passkey hinzugefügt. Sie können es noch einmal versuchen.",
    known: "Auf diesem Gerät haben Sie schon einen Passkey.",
    cannotAdd: "Dieser Browser kennt keine Passkeys.",
    title: "Passkeys",
    none: "Noch keiner. Ihre Quittung bietet nach einer Zahlung mit PIN einen an.",
    addedAt: "Hinzugefügt am {time}",
    usedAt: "Zuletzt verwendet am {time}",
    remove: "Entfernen",
  },
  es: {
    recognised: "Hola de nuevo, {name}",
    pay: "Pagar {amount} con tu clave de acceso",
    usePin: "Usar tu PIN en su lugar",
    notUsed:
      "No se ha usado ninguna clave de acceso, así que no se ha pagado nada. Inténtalo de nuevo o usa tu PIN.",
    noSupport: "Este navegador no conoce las claves de acceso. Usa tu PIN.",
    offer: "¿Pagar sin PIN la próxima vez?",
    offerText:
      "Con una clave de acceso confirmas los pagos en este dispositivo con el dedo, la cara o el bloqueo de pantalla. Tu PIN sigue valiendo.",
    add: "Añadir una clave de acceso",
    addBusy: "Añadiendo la clave de acceso…",
    notAdded: "No se ha añadido ninguna clave de acceso. Puedes intentarlo de nuevo.",
    known: "Este dispositivo ya tiene una clave de acceso tuya.",
    cannotAdd: "Este navegador no conoce las claves de acceso.",
    title: "Claves de acceso",
    none: "Todavía ninguna. Tu recibo ofrece una después de un pago con PIN.",
    addedAt: "Añadida el {time}",
    usedAt: "Usada por última vez el {time}",
    remove: "Eliminar",
  },
  pt: {
    recognised: "Olá de novo, {name}",
    pay: "Pagar {amount} com a sua chave de acesso",
    usePin: "Usar antes o seu PIN",
    notUsed: "Não foi usada nenhuma chave de acesso, por isso nada foi pago. Tente de novo ou use o seu PIN.",
    noSupport: "Este navegador não conhece chaves de acesso. Use o seu PIN.",
    offer: "Pagar sem PIN da próxima vez?",
    offerText:
      "Com uma chave de acesso confirma pagamentos neste dispositivo com o dedo, o rosto ou o bloqueio do ecrã. O seu PIN continua válido.",
    add: "Adicionar uma chave de acesso",
    addBusy: "A adicionar a chave de acesso…",
    notAdded: "Não foi adicionada nenhuma chave de acesso. Pode tentar de novo.",
    known: "Este dispositivo já tem uma chave de acesso sua.",
    cannotAdd: "Este navegador não conhece chaves de acesso.",
    title: "Chaves de acesso",
    none: "Ainda nenhuma. O seu recibo oferece uma depois de um pagamento com PIN.",
    addedAt: "Adicionada em {time}",
    usedAt: "Usada pela última vez em {time}",
    remove: "Remover",
  },
  ar: {
    recognised: "أهلًا بعودتك، {name}",
    pay: "ادفع {amount} بمفتاح المرور",
    usePin: "استخدم رقمك السري بدلًا من ذلك",
    notUsed: "لم يُستخدم مفتاح مرور، فلم يُدفع شيء. حاول مرة أخرى أو استخدم رقمك السري.",
    noSupport: "هذا المتصفح لا يعرف مفاتيح المرور. استخدم رقمك السري.",
    offer: "هل تدفع دون رقم سري في المرة القادمة؟",
    offerText:
      "بمفتاح المرور تؤكّد المدفوعات على هذا الجهاز ببصمة الإصبع أو الوجه أو قفل الشاشة. ويبقى رقمك السري صالحًا.",
    add: "إضافة مفتاح مرور",
    addBusy: "جارٍ إضافة مفتاح المرور…",
    notAdded: "لم يُضَف مفتاح مرور. يمكنك المحاولة مرة أخرى.",
    known: "لديك مفتاح مرور على هذا الجهاز من قبل.",
    cannotAdd: "هذا المتصفح لا يعرف مفاتيح المرور.",
    title: "مفاتيح المرور",
    none: "لا يوجد أيّ مفتاح بعد. يعرض الإيصال واحدًا بعد الدفع برمزك.",
    addedAt: "أُضيف في {time}",
    usedAt: "آخر استخدام في {time}",
    remove: "حذف",
  },
} as const satisfies Record<Language, PasskeyTexts>;
