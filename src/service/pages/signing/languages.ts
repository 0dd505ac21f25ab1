import type { DocumentRow } from "../../model/documents/document.ts";
import { MONEY_WORDS } from "./money-words.ts";
import { STATE_WORDS } from "./state-words.ts";

export type Translate = (english: string, values?: Readonly<Record<string, string | number>>) => string;

type Words = Readonly<Record<string, readonly [german: string, spanish: string, french: string]>>;

export const WORDS: Words = {
  ...STATE_WORDS,
  ...MONEY_WORDS,
  Finish: ["Abschließen", "Finalizar", "Terminer"],
  Save: ["Speichern", "Guardar", "Enregistrer"],
  "Next field": ["Nächstes Feld", "Campo siguiente", "Champ suivant"],
  "Skip to the document": ["Zum Dokument springen", "Ir al documento", "Aller au document"],
  Document: ["Dokument", "Documento", "Document"],
  "From {sender} for {recipient}": [
    "Von {sender} für {recipient}",
    "De {sender} para {recipient}",
    "De {sender} pour {recipient}",
  ],
  "Nothing is required of you.": [
    "Es gibt keine Pflichtfelder.",
    "No hay campos obligatorios.",
    "Aucun champ n’est obligatoire.",
  ],
  "Fill in what is required ({count}), then finish.": [
    "Füllen Sie die Pflichtfelder aus ({count}) und schließen Sie dann ab.",
    "Rellene los campos obligatorios ({count}) y finalice.",
    "Remplissez les champs obligatoires ({count}), puis terminez.",
  ],
  "By finishing you sign.": [
    "Mit dem Abschließen unterschreiben Sie.",
    "Al finalizar, usted firma.",
    "En terminant, vous signez.",
  ],
  Completed: ["Abgeschlossen", "Completado", "Terminé"],
  Paid: ["Bezahlt", "Pagado", "Payé"],
  "Waiting for payment": ["Wartet auf Zahlung", "Esperando el pago", "En attente du paiement"],
  "Waiting for you": ["Wartet auf Sie", "Esperando por usted", "En attente de vous"],
  "Waiting for others": ["Wartet auf andere", "Esperando a otros", "En attente des autres"],
  "For you to read": ["Zum Lesen", "Para leer", "Pour lecture"],
  "One field needs your attention": [
    "Ein Feld braucht Ihre Aufmerksamkeit",
    "Un campo requiere su atención",
    "Un champ demande votre attention",
  ],
  "{count} fields need your attention": [
    "{count} Felder brauchen Ihre Aufmerksamkeit",
    "{count} campos requieren su atención",
    "{count} champs demandent votre attention",
  ],
  "That did not work": ["Das hat nicht geklappt", "No ha funcionado", "Cela n’a pas fonctionné"],
  "You have finished this document": [
    "Sie haben dieses Dokument abgeschlossen",
    "Ha finalizado este documento",
    "Vous avez terminé ce document",
  ],
  "This document is completed": [
    "Dieses Dokument ist abgeschlossen",
    "Este documento está completado",
    "Ce document est terminé",
  ],
  "Others still have to finish. You get a copy when everybody has.": [
    "Andere müssen noch abschließen. Danach erhalten Sie eine Kopie.",
    "Otros aún deben finalizar. Después recibirá una copia.",
    "D’autres doivent encore terminer. Vous recevrez ensuite une copie.",
  ],
  "Download the document": ["Dokument herunterladen", "Descargar el documento", "Télécharger le document"],
  "Pay {amount}": ["{amount} bezahlen", "Pagar {amount}", "Payer {amount}"],
  "Let the payment fail": ["Zahlung scheitern lassen", "Hacer fallar el pago", "Faire échouer le paiement"],
  "No card is charged here: choose how the payment ends.": [
    "Hier wird keine Karte belastet: Wählen Sie, wie die Zahlung endet.",
    "Aquí no se carga ninguna tarjeta: elija cómo termina el pago.",
    "Aucune carte n’est débitée ici : choisissez l’issue du paiement.",
  ],
  More: ["Mehr", "Más", "Plus"],
  Comments: ["Kommentare", "Comentarios", "Commentaires"],
  "Your comment": ["Ihr Kommentar", "Su comentario", "Votre commentaire"],
  "Add the comment": ["Kommentar hinzufügen", "Añadir el comentario", "Ajouter le commentaire"],
  "Suggest edits": ["Änderungen vorschlagen", "Sugerir cambios", "Suggérer des modifications"],
  "What should change?": ["Was soll sich ändern?", "¿Qué debe cambiar?", "Que faut-il modifier ?"],
  "Send the suggestion": ["Vorschlag senden", "Enviar la sugerencia", "Envoyer la suggestion"],
  "Decline to sign": ["Unterschrift ablehnen", "Rechazar la firma", "Refuser de signer"],
  "Why do you decline?": ["Warum lehnen Sie ab?", "¿Por qué rechaza?", "Pourquoi refusez-vous ?"],
  "Declining ends the document for everybody.": [
    "Eine Ablehnung beendet das Dokument für alle.",
    "El rechazo termina el documento para todos.",
    "Un refus met fin au document pour tous.",
  ],
  "Decline the document": ["Dokument ablehnen", "Rechazar el documento", "Refuser le document"],
  "Forward to somebody else": ["An jemanden weiterleiten", "Reenviar a otra persona", "Transférer à quelqu’un"],
  "Email address": ["E-Mail-Adresse", "Correo electrónico", "Adresse e-mail"],
  "First name": ["Vorname", "Nombre", "Prénom"],
  "Last name": ["Nachname", "Apellido", "Nom"],
  "They sign in my place": ["Diese Person unterschreibt statt mir", "Firma en mi lugar", "Cette personne signe à ma place"],
  Forward: ["Weiterleiten", "Reenviar", "Transférer"],
  required: ["Pflichtfeld", "obligatorio", "obligatoire"],
  optional: ["freiwillig", "opcional", "facultatif"],
  "Your choice": ["Ihre Auswahl", "Su elección", "Votre choix"],
  Quantity: ["Menge", "Cantidad", "Quantité"],
  "Quantity of {name}": ["Menge von {name}", "Cantidad de {name}", "Quantité de {name}"],
  Item: ["Position", "Concepto", "Article"],
  Amount: ["Betrag", "Importe", "Montant"],
  "Everything that is required is filled in.": [
    "Alle Pflichtfelder sind ausgefüllt.",
    "Todos los campos obligatorios están rellenos.",
    "Tous les champs obligatoires sont remplis.",
  ],
  "{done} of {count} required fields filled in.": [
    "{done} von {count} Pflichtfeldern ausgefüllt.",
    "{done} de {count} campos obligatorios rellenos.",
    "{done} champs obligatoires sur {count} remplis.",
  ],
  "This field is required.": ["Dieses Feld ist ein Pflichtfeld.", "Este campo es obligatorio.", "Ce champ est obligatoire."],
  "One required field is empty.": [
    "Ein Pflichtfeld ist leer.",
    "Un campo obligatorio está vacío.",
    "Un champ obligatoire est vide.",
  ],
  "{count} required fields are empty.": [
    "{count} Pflichtfelder sind leer.",
    "{count} campos obligatorios están vacíos.",
    "{count} champs obligatoires sont vides.",
  ],
  "This session has ended. Ask the sender for a new link.": [
    "Diese Sitzung ist beendet. Bitten Sie den Absender um einen neuen Link.",
    "Esta sesión ha terminado. Pida un nuevo enlace al remitente.",
    "Cette session est terminée. Demandez un nouveau lien à l’expéditeur.",
  ],
  "Sign here": ["Hier unterschreiben", "Firme aquí", "Signez ici"],
  Initials: ["Paraphe", "Iniciales", "Paraphe"],
  Stamp: ["Stempel", "Sello", "Tampon"],
  Done: ["Fertig", "Listo", "Terminé"],
  Type: ["Tippen", "Escribir", "Saisir"],
  Draw: ["Zeichnen", "Dibujar", "Dessiner"],
  "Clear the drawing": ["Zeichnung löschen", "Borrar el dibujo", "Effacer le dessin"],
  "Type your full name": ["Tippen Sie Ihren vollen Namen", "Escriba su nombre completo", "Saisissez votre nom complet"],
  "Type your initials": ["Tippen Sie Ihre Initialen", "Escriba sus iniciales", "Saisissez vos initiales"],
  "Text of the stamp": ["Text des Stempels", "Texto del sello", "Texte du tampon"],
  "Choose…": ["Auswählen …", "Elegir…", "Choisir…"],
  Empty: ["Leer", "Vacío", "Vide"],
  "Not ticked": ["Nicht angekreuzt", "Sin marcar", "Non coché"],
  You: ["Sie", "Usted", "Vous"],
  Nobody: ["Niemand", "Nadie", "Personne"],
  "Choose a file": ["Datei auswählen", "Elegir un archivo", "Choisir un fichier"],
  "No file chosen": ["Keine Datei ausgewählt", "Ningún archivo elegido", "Aucun fichier choisi"],
  "Open the original file": ["Originaldatei öffnen", "Abrir el archivo original", "Ouvrir le fichier original"],
  "Page {page} of {count}": ["Seite {page} von {count}", "Página {page} de {count}", "Page {page} sur {count}"],
  "Served by docdouble, a test double: nothing that is signed here binds anybody.": [
    "Von docdouble, einem Testdouble: Nichts, was hier unterschrieben wird, bindet jemanden.",
    "De docdouble, un doble de pruebas: nada de lo que se firme aquí obliga a nadie.",
    "Par docdouble, une doublure de test : rien de ce qui est signé ici n’engage personne.",
  ],
  "Saved. You can come back with the same link.": [
    "Gespeichert. Sie können mit demselben Link zurückkommen.",
    "Guardado. Puede volver con el mismo enlace.",
    "Enregistré. Vous pouvez revenir avec le même lien.",
  ],
  "Your comment was added.": [
    "Ihr Kommentar wurde hinzugefügt.",
    "Su comentario se ha añadido.",
    "Votre commentaire a été ajouté.",
  ],
  "Forwarded.": ["Weitergeleitet.", "Reenviado.", "Transféré."],
  "Thank you, the payment has arrived.": [
    "Danke, die Zahlung ist eingegangen.",
    "Gracias, el pago ha llegado.",
    "Merci, le paiement est arrivé.",
  ],
  "The payment failed. You can try again.": [
    "Die Zahlung ist gescheitert. Sie können es noch einmal versuchen.",
    "El pago ha fallado. Puede intentarlo de nuevo.",
    "Le paiement a échoué. Vous pouvez réessayer.",
  ],
};

const COLUMNS = ["de", "es", "fr"] as const;

export type Language = "en" | (typeof COLUMNS)[number];

/** A page without a document uses the first known language of the header Accept-Language. */
export function languageOf(document: DocumentRow | undefined, accepts = ""): Language {
  const wanted = document ? [document.internal.settings.language] : accepts.split(",");
  for (const one of wanted) {
    const [code = ""] = one.trim().toLowerCase().split(/[-_;]/);
    if (code === "en") return "en";
    const found = COLUMNS.find((column) => column === code);
    if (found) return found;
  }
  return "en";
}

export function translator(document: DocumentRow | undefined, accepts?: string): Translate {
  const column = COLUMNS.indexOf(languageOf(document, accepts) as (typeof COLUMNS)[number]);
  return (english, values = {}) => {
    const text = (column < 0 ? undefined : WORDS[english]?.[column]) ?? english;
    return text.replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));
  };
}

const MESSAGES = [
  "{name} has completed the document already.",
  "It is not the turn of {name} yet.",
  '"{name}" is not a valid choice.',
];

const PATTERNS = MESSAGES.map((text) => {
  const [before = "", after = ""] = text.split("{name}");
  return { text, before, after };
});

/** Unknown sentences stay English. */
export function translatedMessage(t: Translate, message: string): string {
  if (WORDS[message]) return t(message);
  const found = PATTERNS.find(({ before, after }) => message.startsWith(before) && message.endsWith(after));
  if (found) return t(found.text, { name: message.slice(found.before.length, message.length - found.after.length) });
  return message;
}

const OF_SCRIPTS = [
  "Everything that is required is filled in.",
  "{done} of {count} required fields filled in.",
  "This field is required.",
  "One required field is empty.",
  "{count} required fields are empty.",
  "This session has ended. Ask the sender for a new link.",
  "Sign here",
  "Initials",
  "Stamp",
  "Done",
  "drawn",
  "{name}: {value}, change it",
  "Attach {name}",
  "Image {name} could not be loaded",
  "The pages could not be drawn. This is their text; the original is at the end.",
];

export function wordsForScripts(document: DocumentRow | undefined): Record<string, string> {
  if (languageOf(document) === "en") return {};
  const t = translator(document);
  return Object.fromEntries(OF_SCRIPTS.map((text) => [text, t(text)]));
}
