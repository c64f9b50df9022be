// Makes the pictures of the README in docs/img: `mvn package -DskipTests`, then `node pictures.js`.
import { fileURLToPath } from "node:url";
import { DESKTOP, PHONE, Window, launch } from "./desk-browser.js";
import { Service } from "./service.js";

const IMAGES = fileURLToPath(new URL("../../../docs/img/", import.meta.url));
const USED = new Set(["desk-en", "phone-en", "failed-en", "dark-ru", "drill-en"]);
const SMALL = { ...DESKTOP, viewport: { width: 1080, height: 640 } };
const TALK = {
  en: {
    names: ["Ann", "Bob"], locale: "en-GB", title: "Where is my parcel?",
    others: [["Invoice 4711", "Thank you, that was all."], ["Change of address", "From 1 March, please."]],
    lines: ["Good morning. The parcel of order 1042 has not come.", "Good morning! I am looking.",
      "It left the depot at nine. It should be with you before noon."],
    reply: "I have stopped the second parcel.", meanwhile: "No, wait: it is here!",
    drill: "Drill", lost: "Lose the next ack", twice: "You are welcome!",
  },
  ru: {
    names: ["Анна", "Борис"], locale: "ru-RU", title: "Где моя посылка?",
    others: [["Счёт 4711", "Спасибо, это всё."], ["Новый адрес", "С первого марта, пожалуйста."]],
    lines: ["Доброе утро. Посылка по заказу 1042 не пришла.", "Доброе утро! Сейчас посмотрю.",
      "Она ушла со склада в девять. Должна быть у вас до полудня."],
    reply: "Я остановила вторую посылку.", meanwhile: "Нет, подождите: она здесь!",
    drill: "Учения", lost: "Потерять следующий ответ", twice: "Пожалуйста!",
  },
};

const browser = await launch();
try {
  for (const [language, talk] of Object.entries(TALK)) {
    const service = await Service.start();
    try {
      await pictures(language, talk, service);
    } finally {
      await service.close();
    }
  }
} finally {
  await browser.close();
}

async function pictures(language, talk, service) {
  const { names, locale, title, others, lines, reply, meanwhile } = talk;
  const customer = await service.token({ participant: names[1].toLowerCase(), name: names[1] });
  for (const [at, [name, text]] of others.entries()) {
    await service.call("PUT", `api/rooms/case-${at}`, customer, { title: name });
    const key = { "Idempotency-Key": "k1" };
    await service.call("POST", `api/rooms/case-${at}/messages`, customer, { text }, key);
  }
  await service.call("PUT", "api/rooms/parcel", customer, { title });
  const agent = await Window.open(browser, service, { ...SMALL, locale });
  const phone = await Window.open(browser, service, { ...PHONE, deviceScaleFactor: 1, locale });
  await Promise.all([agent.signIn(names[0], "agent"), phone.signIn(names[1], "customer")]);
  await Promise.all([agent.go("parcel"), phone.go("parcel")]);
  await phone.say(lines[0]);
  await agent.bubble(lines[0]).waitFor();
  for (const line of lines.slice(1)) {
    await agent.say(line);
    await agent.reaches(line, "accepted");
  }
  await phone.bubble(lines[2]).waitFor();
  const picture = (window, name) => USED.has(`${name}-${language}`) &&
    window.page.screenshot({ path: `${IMAGES}${name}-${language}.png` });
  await picture(agent, "desk");
  await picture(phone, "phone");
  await agent.page.emulateMedia({ colorScheme: "dark" });
  await picture(agent, "dark");
  agent.isCut = true;
  await agent.cut();
  await agent.state("waiting");
  await agent.say(reply);
  await phone.say(meanwhile);
  await phone.reaches(meanwhile, "accepted");
  await agent.uncut();
  await agent.reaches(reply, "failed");
  await agent.page.emulateMedia({ colorScheme: "light" });
  await picture(agent, "failed");
  await drill(agent, talk);
  await picture(agent, "drill");
  await agent.close();
  await phone.close();
}

/** The ack of a message is lost, and the panel draws what became of it. */
async function drill(agent, { drill: panel, lost, twice, others }) {
  await agent.go("case-0");
  await agent.bubble(others[0][1]).waitFor();
  await agent.page.getByRole("button", { name: panel, exact: true }).click();
  await agent.page.getByRole("button", { name: lost }).click();
  await agent.page.locator(".drill-status:not(:empty)").waitFor();
  await agent.say(twice);
  await agent.page.locator(".drill-picture li[data-state=acked] .drill-answer").waitFor();
  await agent.online();
  await agent.page.locator(".case-status:empty").waitFor({ state: "attached" });
}
