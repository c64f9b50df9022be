// What the page says, in English and in Russian.

const en = {
  title: "Why an outbox",
  lead:
    "An order comes in. It is to be booked in our database, and another system is to hear of " +
    "it. No transaction spans the two, and a process can die between any two steps. Move the " +
    "crash, by dragging or with the arrow keys, and see what is true after the process has " +
    "been started again.",
  around: "Around it",
  asksAgain: "Who sent the order asks again when no answer came",
  inbox: "The receiver has an inbox: it keeps the ids of what it has applied",
  crash: "Crash point",
  dies: "dies here",
  lives: "all done, dies later",
  at: {
    first: "The process dies before the first step",
    after: "The process dies after:",
    last: "The process dies when all is done",
  },
  sides: { stored: "Our database", sent: "Sent", applied: "The receiver" },
  stored: ["nothing", "the order, once"],
  sent: ["never", "once", "twice"],
  applied: ["knows nothing", "has it once", "has it twice"],
  breaks: "Wrong at {count} of {all} crash points",
  right: "Right at all {all} crash points",
  verdict: {
    once: "Exactly once on both sides",
    nothing: "Nothing happened, on both sides",
    lost: "Lost",
    untrue: "Untrue",
    repeated: "Repeated",
  },
  design: {
    bookFirst: { name: "Book, then queue", idea: "The order is booked; then the process sends." },
    queueFirst: {
      name: "Queue, then book",
      idea: "The process sends first, then books the order.",
    },
    outbox: {
      name: "Outbox",
      idea:
        "One transaction books the order and a note that it is still to be sent. A relay " +
        "sends, then takes the note away.",
    },
  },
  step: {
    book: "book the order",
    send: "send the event",
    answer: "answer the sender",
    bookAndNote: "book the order and a note, in one transaction",
    mark: "take the note away",
  },
  after: {
    memory: "The process starts again and remembers nothing of the order.",
    note: "The process starts again, finds the note in its database and sends.",
    noteAgain:
      "The process starts again, finds the note in its database and sends once more, under the " +
      "same id.",
    done: "The process starts again. There is nothing left to do.",
    known: "The sender asks again. The order is booked already, so that is the answer.",
    knownLost:
      "The sender asks again. The order is booked already, so that is the answer, and nobody " +
      "sends.",
    fresh: "The sender asks again, and all of it is done.",
    freshTwice:
      "The sender asks again, and all of it is done: the event is sent a second time. The " +
      "first had no number yet that an inbox could know it by.",
    silent: "The sender has no answer and does not ask again.",
    dropped: "The receiver's inbox has that id, refuses the second and answers yes.",
    taken: "The receiver keeps no ids and takes both.",
  },
  because: {
    once: "",
    nothing: "Nobody was told that it had happened.",
    lost: "It is booked, and the receiver will never hear of it. Nothing on either side says so.",
    untrue: "The receiver was told of an order that does not exist.",
    repeated: "One order, and the receiver has acted on it twice.",
  },
  whyTitle: "Why the inbox makes it once",
  why1:
    "The outbox decides in one transaction: either the order and the note are both there, or " +
    "neither. From then on nothing can be lost, because whoever is started next finds the note " +
    "and tries again.",
  why2:
    "The note is taken away only after the receiver has said yes. So a crash just before that " +
    "sends again: at least once. More cannot be promised from this side, for nobody knows " +
    "whether the last answer was on its way.",
  why3:
    "The rest is done where the event arrives. Its id is made of the order's number and is the " +
    "same each time. The receiver stores that id in the transaction in which it applies the " +
    "event; a second one is refused and answered with yes. At least once, and an inbox: once.",
};

const ru = {
  title: "Зачем нужен outbox",
  lead:
    "Приходит заказ. Его нужно записать в нашу базу, и о нём должна узнать другая система. " +
    "Общей транзакции у них нет, а процесс может упасть между любыми двумя шагами. Двигайте " +
    "точку сбоя мышью, пальцем или стрелками и смотрите, что будет верно после перезапуска " +
    "процесса.",
  around: "Условия",
  asksAgain: "Отправитель заказа повторяет запрос, если не получил ответа",
  inbox: "У получателя есть inbox: он хранит id всего, что уже применил",
  crash: "Точка сбоя",
  dies: "сбой здесь",
  lives: "всё сделано, сбой позже",
  at: {
    first: "Процесс падает до первого шага",
    after: "Процесс падает после шага:",
    last: "Процесс падает, когда всё уже сделано",
  },
  sides: { stored: "Наша база", sent: "Отправлено", applied: "Получатель" },
  stored: ["ничего", "заказ, один раз"],
  sent: ["ни разу", "один раз", "дважды"],
  applied: ["ничего не знает", "получил один раз", "получил дважды"],
  breaks: "Ошибка в {count} из {all} точек сбоя",
  right: "Верно во всех точках сбоя: {all} из {all}",
  verdict: {
    once: "Ровно один раз с обеих сторон",
    nothing: "Ничего не произошло с обеих сторон",
    lost: "Потеряно",
    untrue: "Неправда",
    repeated: "Повторено",
  },
  design: {
    bookFirst: {
      name: "Сначала база, потом очередь",
      idea: "Заказ записывается, затем процесс отправляет событие.",
    },
    queueFirst: {
      name: "Сначала очередь, потом база",
      idea: "Процесс сначала отправляет событие, затем записывает заказ.",
    },
    outbox: {
      name: "Outbox",
      idea:
        "Одна транзакция записывает заказ и пометку, что его ещё надо отправить. Relay " +
        "отправляет, затем снимает пометку.",
    },
  },
  step: {
    book: "записать заказ",
    send: "отправить событие",
    answer: "ответить отправителю",
    bookAndNote: "записать заказ и пометку одной транзакцией",
    mark: "снять пометку",
  },
  after: {
    memory: "Процесс запускается снова и ничего о заказе не помнит.",
    note: "Процесс запускается снова, находит пометку в базе и отправляет событие.",
    noteAgain:
      "Процесс запускается снова, находит пометку в базе и отправляет событие ещё раз, с тем " +
      "же id.",
    done: "Процесс запускается снова. Делать больше нечего.",
    known: "Отправитель повторяет запрос. Заказ уже записан, это и есть ответ.",
    knownLost:
      "Отправитель повторяет запрос. Заказ уже записан, это и есть ответ, а событие никто не " +
      "отправляет.",
    fresh: "Отправитель повторяет запрос, и всё выполняется.",
    freshTwice:
      "Отправитель повторяет запрос, и всё выполняется: событие уходит второй раз. У первого " +
      "ещё не было номера, по которому его узнал бы inbox.",
    silent: "Отправитель не получил ответа и запрос не повторяет.",
    dropped: "Inbox получателя знает этот id, отклоняет второе событие и отвечает «да».",
    taken: "Получатель не хранит id и принимает оба события.",
  },
  because: {
    once: "",
    nothing: "Никому не сообщили, что заказ есть.",
    lost: "Заказ записан, а получатель о нём никогда не узнает. Ни одна сторона этого не заметит.",
    untrue: "Получателю сообщили о заказе, которого нет.",
    repeated: "Заказ один, а получатель выполнил его дважды.",
  },
  whyTitle: "Почему с inbox получается один раз",
  why1:
    "Outbox решает всё одной транзакцией: либо есть и заказ, и пометка, либо нет ни того, ни " +
    "другого. После этого потерять ничего нельзя: любой запущенный потом процесс найдёт " +
    "пометку и попробует снова.",
  why2:
    "Пометка снимается только после того, как получатель ответил «да». Поэтому сбой прямо " +
    "перед этим ведёт к повторной отправке: не меньше одного раза. Большего с этой стороны " +
    "обещать нельзя: никто не знает, не был ли последний ответ уже в пути.",
  why3:
    "Остальное делается там, куда событие приходит. Его id составлен из номера заказа и каждый " +
    "раз одинаков. Получатель сохраняет этот id в той же транзакции, в которой применяет " +
    "событие; второе он отклоняет и отвечает «да». Не меньше одного раза плюс inbox – это " +
    "ровно один раз.",
};

/** @typedef {typeof en} Words */

/** @type {Record<string, Words>} */
const ALL = { en, ru };

/**
 * The first of the reader's languages that there are words in, or English.
 *
 * @param {readonly string[]} languages as in navigator.languages
 * @returns {{ language: string, words: Words }}
 */
export function wordsFor(languages) {
  const spoken = languages.map((each) => each.toLowerCase().split("-")[0] ?? "");
  const language = spoken.find((each) => ALL[each]) ?? "en";
  return { language, words: ALL[language] ?? en };
}
