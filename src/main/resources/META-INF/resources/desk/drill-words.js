// What the drill panel says.

const en = {
  title: "Drill",
  lead: "Let something go wrong, and watch that nothing is lost and nothing comes twice.",
  lose_ack: "Lose the next ack",
  send_twice: "Send twice",
  refuse: "Refuse the next",
  cut: "Cut the socket",
  freeze: "Freeze the network for 10 s",
  repeat_delta: "Repeat the last delta",
  new_epoch: "New epoch",
  needsCase: "Open a case first.",
  armed: "Now send a message.",
  failed: "The service did not take the order.",
  notConnected: "This window has no socket to befall.",
  kill: "Kill it and start it again",
  killHint: "In a terminal. What was acked is there again; what was not is sent again.",
  picture: "What happened to your messages",
  nothing: "Nothing sent yet.",
  key: "key {key}",
  tries: "written {n}×",
  queued: "waits",
  sent: "no answer yet",
  first: "first",
  duplicate: "duplicate",
  refused: "refused: {code}",
  seq: "no. {seq}",
  shown: "shown {n}×",
  notShown: "not shown yet",
  journal: "In order",
  ordered: "Drill: {what}",
  connecting: "Connecting",
  online: "Connected",
  waiting: "Socket lost",
  unauthorized: "Signed out",
  closed: "Closed",
  reset: "The list was replaced",
  message: "Message no. {seq}",
};

const ru = {
  title: "Учения",
  lead: "Пусть что-нибудь сломается: ничего не потеряется и ничего не придёт дважды.",
  lose_ack: "Потерять следующий ответ",
  send_twice: "Отправить дважды",
  refuse: "Отказать следующему",
  cut: "Оборвать соединение",
  freeze: "Заморозить сеть на 10 с",
  repeat_delta: "Повторить последние сообщения",
  new_epoch: "Новая эпоха",
  needsCase: "Сначала откройте обращение.",
  armed: "Теперь отправьте сообщение.",
  failed: "Сервис не принял команду.",
  notConnected: "У этого окна нет соединения.",
  kill: "Убить и запустить снова",
  killHint: "В терминале. Что было подтверждено, останется; остальное уйдёт ещё раз.",
  picture: "Что стало с вашими сообщениями",
  nothing: "Пока ничего не отправлено.",
  key: "ключ {key}",
  tries: "записано {n}×",
  queued: "ждёт",
  sent: "ответа ещё нет",
  first: "впервые",
  duplicate: "повтор",
  refused: "отказ: {code}",
  seq: "№ {seq}",
  shown: "показано {n}×",
  notShown: "ещё не показано",
  journal: "По порядку",
  ordered: "Учения: {what}",
  connecting: "Подключаемся",
  online: "На связи",
  waiting: "Соединение потеряно",
  unauthorized: "Вход завершён",
  closed: "Закрыто",
  reset: "Список заменён",
  message: "Сообщение № {seq}",
};

export const DRILL_WORDS = { en, ru };

/**
 * @param {string} language a tag; English where it is not known
 * @returns {(key: keyof en, values?: Record<string, string | number>) => string}
 */
export function sayer(language) {
  const words = language.toLowerCase().startsWith("ru") ? ru : en;
  return (key, values = {}) => words[key].replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
}
