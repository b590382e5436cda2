import { accountEs } from "./account/es";
import type { Texts } from "./en";
import { PASSKEY_TEXTS } from "./passkeys";

export const es: Texts = {
  footer: "Pago seguro con Tillgate. La tienda nunca ve tu PIN ni tu saldo.",
  legal: { terms: "Condiciones de uso", privacy: "Política de privacidad" },
  testMode: {
    title: "MODO DE PRUEBA",
    explanation: "No se mueve dinero real.",
    pageTitle: "PRUEBA: {title}",
    receipt: "MODO DE PRUEBA: no se movió dinero real.",
  },

  title: {
    PENDING: "Pagar {amount} a {merchant}",
    PAID: "Pagado: {amount} a {merchant}",
    CANCELLED: "Pago cancelado: {merchant}",
    EXPIRED: "Pago caducado: {merchant}",
    REFUND_PENDING: "Reembolso en curso: {merchant}",
    REFUNDED: "Reembolsado: {amount} por {merchant}",
  },
  heading: {
    PENDING: "Pagar a {merchant}",
    PAID: "Has pagado {amount}",
    CANCELLED: "Pago cancelado",
    EXPIRED: "El plazo para pagar ha terminado",
    REFUND_PENDING: "El dinero está de vuelta",
    REFUNDED: "Reembolso de {amount}",
  },

  order: {
    waiting: "A la espera de tu pago",
    reference: "Referencia {reference}",
    orderId: "Pedido",
    timeLeft: "Quedan {time} para pagar",
    lastMinute: "Queda menos de un minuto para pagar.",
    lastSeconds: "Quedan 15 segundos para pagar.",
    payBefore: "Paga antes del {time}.",
    checkAgain: "¿Has pagado en otro dispositivo? Comprobar el estado",
  },
  connection: {
    offline: "Estás sin conexión. Esta página sigue sola en cuanto vuelvas.",
    lost: "Se ha perdido la conexión. Esta página sigue intentándolo.",
    unavailable: "El servicio de pago no responde. Esta página sigue intentándolo.",
    clock: "Mientras tanto el reloj está parado.",
  },

  check: {
    status: "Comprobando",
    title: "Comprobando tu pago",
    explanation:
      "La respuesta se perdió por el camino. Esta página averigua si has pagado; déjala abierta. Nunca se cobra dos veces un mismo pedido.",
    back: "Volver al pago",
  },

  signIn: {
    title: "Paga con tu monedero Tillgate",
    identifier: "Número de teléfono o correo electrónico",
    pin: "PIN de tu monedero Tillgate",
    pinHint: "6 cifras",
    submit: "Continuar",
    stay: "Mantener la sesión en este dispositivo",
    stayHint: "Solo en un dispositivo tuyo. Para pagar sigue haciendo falta tu PIN o tu clave de acceso.",
    busy: "Entrando…",
    next: "Después verás tu monedero. No se cobra nada antes de que confirmes.",
  },
  wallet: {
    signedIn: "Sesión de {name}",
    signOut: "¿No eres tú? Cerrar sesión",
    signOutBusy: "Cerrando sesión…",
    wrongPinsElsewhere: "Alguien introdujo PIN incorrectos para tu cuenta.",
    wrongPinsElsewhereAdvice:
      "No fue en este dispositivo. Nadie ha entrado y puedes seguir pagando aquí. Nadie más que tú necesita saber tu PIN.",
    choose: "Pagar desde",
    name: "Monedero en {currency}",
    chosen: "elegido",
    about: "unos {price}",
    noRate: "no puede pagar en {currency}",
    missing: "faltan {missing}",
    pay: "Pagar {amount}",
    busy: "Pagando…",
    pin: "PIN, para confirmar que eres tú",
    next: "Pagas una sola vez y ves el recibo al momento.",
    notEnough: "No hay suficiente en tu monedero en {currency}",
    notEnoughAdvice: "Este pago necesita {price}; tu monedero tiene {balance}, así que faltan {missing}.",
    notEnoughTestAdvice: "Recárgalo aquí: después vuelves a este pago. O paga desde otro.",
    notEnoughLiveAdvice:
      "El operador de este servicio de pago recarga los monederos: pídeselo a él, o paga desde otro monedero.",
    none: "No tienes ningún monedero que pueda pagar en {currency}",
    noneTestAdvice: "Recarga: así se abre un monedero en {currency} y vuelves aquí para pagar.",
    noneAdvice: "¿Tienes otra cuenta? Cierra la sesión y usa esa.",
    chooseAdvice: "Este pago es en {currency}. Elige un monedero para ver su precio exacto.",
    sandboxAdvice: "En el modo de prueba también puedes usar los botones de prueba de abajo.",
  },
  passkey: PASSKEY_TEXTS.es,
  quote: {
    pays: "Pagas",
    receives: "{merchant} recibe",
    rate: "Cambio",
    rateWithMargin: "Cambio, con un margen del {margin} incluido",
    rateMarginIncluded: "Cambio, margen incluido",
    rateValue: "{one} = {rate}",
    heldFor: "Cambio garantizado durante",
    heldUntil: "Cambio garantizado hasta el",
    over: "El cambio ya no está garantizado",
    overAdvice: "Los cambios varían. Pide uno nuevo; verás el precio exacto antes de pagar.",
    renew: "Ver el precio ahora",
    renewBusy: "Pidiendo el cambio…",
  },
  sandbox: {
    title: "Botones de prueba",
    explanation:
      "Aprobar paga desde un cliente de prueba incorporado. Rechazar muestra un rechazo; el pedido sigue abierto.",
    approve: "Aprobar",
    approveBusy: "Aprobando…",
    decline: "Rechazar",
    declineBusy: "Rechazando…",
    signIn: "Entrar como {name}",
    signInHint: "En modo de prueba, sin PIN.",
  },
  scan: {
    title: "Paga con tu móvil",
    explanation: "Escanea el código con su cámara.",
    linkOnly: "Abre esta dirección en él.",
    live: "Esta página cambia sola en cuanto hayas pagado.",
    open: "Pagar con otro dispositivo",
    watch: "Mostrar solo el código y esperar el pago",
    watchTitle: "Escanea para pagar",
    watching: "Esta página comprueba cada pocos segundos si has pagado.",
    back: "Mejor pagar en este dispositivo",
    picture: "Código QR para pagar {amount} a {merchant}",
    address: "Dirección de pago",
    copy: "Copiar",
    copied: "Copiado",
    copyFailed: "Seleccionado: cópialo ahora",
  },
  cancel: {
    open: "Cancelar el pago",
    question: "¿Cancelar este pago? El pedido ya no se podrá pagar.",
    confirm: "Sí, cancelarlo",
    busy: "Cancelando…",
  },

  receipt: {
    transaction: "Transacción",
    time: "Fecha",
    refunded: "Reembolsado",
    receivedBack: "Devuelto a tu monedero",
    paidFrom: "Cargado a tu monedero",
    rate: "Cambio",
    next: "{merchant} tiene tu pago.",
    refundedInPart: "{refunded} de {amount} han vuelto al monedero que pagó.",
    print: "Imprimir",
    copy: "Copiar el recibo",
    copied: "Copiado",
    copyFailed: "Seleccionado: cópialo ahora",
  },
  leaveScreen: {
    signedIn: "Sigues con la sesión de {name}",
    advice: "¿Otras personas usan esta pantalla? Cierra la sesión antes de irte.",
    signOut: "Cerrar sesión en esta pantalla",
  },
  ended: {
    CANCELLED: "No se ha cobrado nada. Para pagar de todos modos, empieza un pago nuevo en {merchant}.",
    EXPIRED:
      "El plazo para pagar ha terminado y no se ha cobrado nada. Para intentarlo de nuevo, empieza un pago nuevo en {merchant}.",
    REFUND_PENDING: "{merchant} está devolviendo dinero. Llega al monedero que pagó.",
    REFUNDED: "{merchant} ha devuelto todo el importe al monedero que pagó.",
  },
  goBack: {
    link: "Volver a {merchant}",
    counting: "Vuelves a {merchant} en {seconds} s.",
    stop: "Quedarme aquí",
  },

  landing: {
    title: "Lo que supo tu tienda",
    delivered: "Webhook a {host}: recibido, respuesta {status}.",
    waiting: "Webhook a {host}: en camino.",
    refused: "Webhook a {host}: no aceptado, respuesta {status}; se enviará de nuevo.",
    failed: "Webhook a {host}: abandonado.",
    none: "No salió ningún webhook: da un callback_url al pedido o añade un punto de recepción.",
    order: "El pedido allí: {status}.",
    orderIs: {
      pending: "Pendiente de pago",
      "on-hold": "En espera",
      processing: "Procesando",
      completed: "Completado",
      cancelled: "Cancelado",
      refunded: "Reembolsado",
      failed: "Fallido",
    },
  },
  amounts: {
    ambiguous: "«{typed}» puede significar {small} o {large}. Escribe {smallSpelling} o {largeSpelling}.",
    ambiguousLarge:
      "«{typed}» puede significar {small} o {large}. Para el segundo importe, escribe {largeSpelling}.",
  },
  link: {
    goOn: "Seguir con el pago empezado",
    go: "Ir al pago",
    next: "Todavía no se ha pagado nada. Ahora verás el importe otra vez y pagarás desde tu monedero.",
    amount: "Importe en {currency}",
    between: "De {min} a {max}.",
    atLeast: "Al menos {min}.",
    atMost: "Como mucho {max}.",
    wrongAmount: "Este importe no se puede pagar aquí. Escribe otro.",
    slow: "Espera un minuto y vuelve a abrir el enlace. No se ha pagado nada.",
    away: "No se ha pagado nada. Inténtalo de nuevo en un momento.",
    used: {
      title: "Esto ya está pagado",
      explanation:
        "Este enlace de {merchant} era para un número limitado de pagos, y ya se hicieron todos. No se te ha cobrado nada.",
    },
    expired: {
      title: "Este enlace ha caducado",
      explanation: "{merchant} ya no acepta pagos con él. Pide otro enlace.",
    },
    closed: {
      title: "Este enlace está cerrado",
      explanation: "{merchant} no acepta pagos con él en este momento.",
    },
  },
  /** In a frame of the shop's page. */
  embed: {
    payHere: "Pagar aquí",
    next: "Abre Tillgate en una pestaña nueva. Tu PIN solo se pide allí, nunca en la página de la tienda.",
    scan: "O escanea el código con la cámara de tu teléfono.",
    receipt: "Ver el recibo",
  },
  till: {
    waits:
      "Aquí todavía no hay ningún pago abierto. Esta página lo abre sola en cuanto se teclee el importe.",
  },
  root: {
    explanation:
      "Un pago empieza en una tienda: abre su página de pago o escanea su código. Aquí pagas después con tu monedero Tillgate.",
  },
  notFound: {
    title: "Este pago no existe",
    explanation:
      "Puede que la dirección esté incompleta. Abre el pago otra vez desde la tienda o escanea el código de nuevo.",
  },
  unavailable: {
    title: "El servicio de pago no responde",
    explanation:
      "Si acabas de pagar, no pagues por segunda vez: el resultado aparece aquí en cuanto el servicio responda.",
    scriptAdvice: "Esta página lo intenta cada pocos segundos y sigue sola.",
    retry: "Intentar ahora",
  },
  failed: {
    title: "Algo ha fallado aquí",
    explanation: "No se ha podido mostrar la página. Inténtalo de nuevo; lo que has pagado sigue pagado.",
  },
  refused: {
    title: "Este paso no se ha aceptado",
    origin: "La petición no venía de la página de pago, así que no se ha hecho nada.",
    method: "Esta dirección solo acepta los formularios de la página de pago. No se ha hecho nada.",
    form: "El formulario no se envió como lo envía la página de pago, así que no se ha hecho nada.",
    back: "Ir al pago",
  },

  notice: {
    form_rejected: "Esta página no estaba al día, así que no se ha hecho nada. Inténtalo de nuevo.",
    wrong_sign_in: "El teléfono o correo y el PIN no coinciden. Inténtalo de nuevo.",
    phone_without_country:
      "Escribe el número de teléfono con el prefijo del país, por ejemplo +34 612 34 56 78, o tu correo electrónico. Esto no cuenta como PIN incorrecto.",
    wrong_pin: "Ese PIN no es correcto, así que no se ha pagado nada. Inténtalo de nuevo.",
    pin_needed: "Introduce tu PIN para confirmar este pago. Todavía no se ha pagado nada.",
    passkey_refused:
      "La clave de acceso no se ha aceptado, así que no se ha pagado nada. Inténtalo de nuevo o usa tu PIN.",
    too_many_passkeys: "Ya hay diez claves de acceso. Elimina antes una en tu monedero.",
    passkey_added: "La clave de acceso está añadida. La próxima vez puedes pagar con ella.",
    passkey_not_added:
      "No se ha añadido ninguna clave de acceso. Podrás añadir una después de tu próximo pago con PIN.",
    invalid_pin: "Introduce las 6 cifras de tu PIN. Todavía no se ha pagado nada.",
    locked:
      "Alguien introdujo demasiados PIN incorrectos para este teléfono o correo, así que está en pausa para dispositivos nuevos. ¿No fuiste tú? No se ha cobrado nada, y un dispositivo en el que ya hayas entrado sigue funcionando.",
    device_locked:
      "Se introdujeron demasiados PIN incorrectos en este dispositivo, así que está en pausa por tu seguridad. No se ha pagado nada.",
    wrong_pins_before:
      "Antes de que entraras, alguien introdujo demasiados PIN incorrectos para tu teléfono o correo. ¿No fuiste tú? Nadie ha entrado y no se ha cobrado nada.",
    too_many_attempts: "Demasiados intentos en poco tiempo.",
    not_signed_in: "Tu sesión está cerrada, así que no se ha pagado nada. Entra de nuevo.",
    no_wallet: "Tu cuenta no tiene ningún monedero que pueda pagar esto, así que no se ha pagado nada.",
    wallet_closed: "Este monedero está cerrado, así que no se ha pagado nada. Usa otro.",
    insufficient_balance: "No hay suficiente en tu monedero, así que no se ha pagado nada.",
    no_rate: "Ahora mismo no hay cambio entre ese monedero y este pago. Usa otro monedero.",
    quote_expired:
      "El cambio ya no estaba garantizado, así que no se ha pagado nada. Mira el precio y confirma de nuevo.",
    expired: "El plazo para pagar terminó antes de este paso. No se ha cobrado nada.",
    cancelled: "Este pago se canceló antes de este paso. No se ha cobrado nada.",
    already_paid: "Este pedido ya se pagó en otro sitio. No se te ha cobrado.",
    link_used:
      "Este enlace de pago ya no admite más pagos: otras personas pagaron antes. No se te ha cobrado.",
    not_payable_now: "Este pago no se puede hacer ahora mismo. No se ha cobrado nada. Pregunta a la tienda.",
    sandbox_only: "Los botones de prueba solo funcionan en el modo de prueba.",
    not_found: "Este pago no existe.",
    invalid_field: "Introduce tu teléfono o correo y las 6 cifras de tu PIN.",
    declined: "Pago rechazado. Es el rechazo de prueba; puedes intentarlo de nuevo.",
    unavailable:
      "El servicio de pago no respondió. El estado de abajo es el actual: míralo antes de intentarlo de nuevo.",
    unconfirmed:
      "El servicio de pago respondió demasiado tarde. No se te ha cobrado nada. Inténtalo de nuevo.",
    pins_differ: "El PIN nuevo y su repetición no son iguales. Escribe los dos otra vez.",
    trivial_pin: "Este PIN es demasiado fácil de adivinar. Elige otro.",
    same_pin: "Ese es el PIN que ya tienes. Elige otro.",
    identifier_taken: "Este teléfono o correo ya tiene un monedero. Entra con él.",
    unknown_shopper: "Ningún monedero de prueba tiene este teléfono o correo.",
    conversion_expired: "El tipo ya no estaba reservado; no se ha cambiado nada. Mira el nuevo.",
    cookies_needed: "Tu navegador no guarda cookies para esta página. Permítelas e inténtalo de nuevo.",
  },
  lostAnswer: {
    offline:
      "Estás sin conexión: no se ha enviado nada y no se te ha cobrado. Esta página lo comprueba en cuanto vuelvas.",
    unknown:
      "Se cortó la conexión antes de la respuesta. Esta página comprueba si has pagado. Un pedido nunca se paga dos veces.",
    unpaid: "No se te ha cobrado nada. Inténtalo de nuevo.",
    step: "Se cortó la conexión, así que puede que esto no se haya hecho. Inténtalo de nuevo.",
    again: "Intentar de nuevo",
  },
  missing: "Faltan {missing}.",
  wait: {
    seconds: "Inténtalo de nuevo en {count, plural, one {# segundo} other {# segundos}}.",
    minutes: "Inténtalo de nuevo en {count, plural, one {# minuto} other {# minutos}}.",
    hours: "Inténtalo de nuevo en {count, plural, one {# hora} other {# horas}}.",
    clock: "Podrás intentarlo de nuevo en {time}.",
    over: "Ya puedes intentarlo de nuevo.",
  },
  account: accountEs,
  languages: "Idioma",
};
