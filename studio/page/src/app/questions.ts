// A question for scenes of the gallery, with what shows the answer: curves, and a run to the moment,
// which is kept as a sync point. It stands in a corner of the views until it is closed.
import type { Editor } from '../model/editor';
import type { Store } from '../model/store';
import { h } from '../ui/dom';
import { languageCode, t } from '../ui/texts';

export interface Question {
  ask: [string, string]; // English, German
  curves: string[];
  until?: { kind: 'contact' | 'any' | 'rest'; body?: string };
  seconds?: number; // or so far
}
export const questions: Record<string, Question> = {
  cradle: { ask: ['One ball falls. How many leave at the other end, and what if you pull two?', 'Eine Kugel fällt. Wie viele gehen am anderen Ende ab, und wenn man zwei zieht?'], curves: ['body:ball_0.y', 'body:ball_4.y'], seconds: 2 },
  pendulum: { ask: ['Three ways to hang a bob a metre down. Which of them comes back first?', 'Drei Arten, ein Gewicht einen Meter tief zu hängen. Welches kommt zuerst zurück?'], curves: ['body:hinged.y', 'body:ball jointed.y', 'body:on a rod.y'], seconds: 3 },
  'double-pendulum': { ask: ['Change the start by a hair and compare the takes: when do they part?', 'Den Anfang um ein Haar ändern und die Fassungen vergleichen: Wann trennen sie sich?'], curves: ['body:rod_1.x', 'body:rod_1.y'], seconds: 5 },
  'stack-10': { ask: ['Do ten crates creep? Look at the top one for ten seconds.', 'Kriechen zehn Kisten? Die oberste zehn Sekunden lang beobachten.'], curves: ['body:crate_9.x', 'penetration'], seconds: 3 },
  'aero/pendulum-5': { ask: ['Hard rubber gives back less than all. How much lower does the last ball rise?', 'Hartgummi gibt nicht alles zurück. Wie viel tiefer bleibt die letzte Kugel?'], curves: ['body:ball_0.y', 'body:ball_4.y', 'kinetic'], seconds: 3 },
  'aero/can-toss': { ask: ['How many cans fall? Stop just before the hit, turn the ball a little, and compare.', 'Wie viele Dosen fallen? Kurz vor dem Treffer anhalten, den Ball etwas drehen und vergleichen.'], curves: ['body:ball.speed', 'contacts'], until: { kind: 'contact', body: 'ball' } },
  'aero/vehicle-on-ice': { ask: ['Where does the steering stop to help? Give the lake another friction in mid-run.', 'Wo hilft Lenken nicht mehr? Dem See mitten im Lauf eine andere Reibung geben.'], curves: ['body:chassis.speed', 'body:chassis.wy'], seconds: 8 },
  'aero/uneven-floor': { ask: ['Which material bounces longest? Run from contact to contact.', 'Welches Material springt am längsten? Von Kontakt zu Kontakt laufen lassen.'], curves: ['kinetic'], until: { kind: 'contact' } },
  'aero/settling': { ask: ['Each bounce has 0.81 of the speed before. How many until it rests?', 'Jeder Sprung hat 0,81 des Tempos davor. Wie viele, bis sie ruht?'], curves: ['body:sphere.y', 'body:sphere.vy'], seconds: 1.5 },
  'aero/flat-box': { ask: ['Four corners hit at once. Does the box begin to turn? And with method force, contacts analytic?', 'Vier Ecken treffen zugleich auf. Beginnt der Kasten sich zu drehen? Und mit Verfahren force, analytisch?'], curves: ['body:box.spin', 'body:box.y'], seconds: 1 },
  'aero/slip-to-roll': { ask: ['It slides at 2 m/s without turning. At which speed does it end up rolling?', 'Sie gleitet mit 2 m/s, ohne sich zu drehen. Mit welchem Tempo rollt sie am Ende?'], curves: ['body:sphere.speed', 'body:sphere.spin'], seconds: 0.5 },
  'aero/random-gravity-stack': { ask: ['Four balls stand exactly on each other. Why do they fall? Set the random gravity to 0.', 'Vier Kugeln stehen genau übereinander. Warum fallen sie? Die zufällige Schwerkraft auf 0 setzen.'], curves: ['body:ball_3.y', 'body:ball_3.x'], seconds: 5 },
  'aero/leaning-tower': { ask: ['Eight stand, twelve fall. Where must the common centre of mass lie?', 'Acht stehen, zwölf fallen. Wo muss der gemeinsame Schwerpunkt liegen?'], curves: ['potential', 'kinetic'], seconds: 2 },
  gears: { ask: ['How much slower than the sun does the carrier turn? Count, then read it.', 'Wie viel langsamer als die Sonne dreht der Steg? Zählen, dann ablesen.'], curves: ['body:sun/disc.spin', 'body:carrier.spin'], seconds: 2 },
  'slider-crank': { ask: ['A steady torque: is the motion steady? Where in the turn is the slider fastest?', 'Ein gleichmäßiges Drehmoment: gleichmäßige Bewegung? Wo ist der Schieber am schnellsten?'], curves: ['body:slider.vx', 'body:crank.spin'], seconds: 3 },
  dominoes: { ask: ['How fast does the wave run, and does it matter how hard the first is pushed?', 'Wie schnell läuft die Welle, und kommt es darauf an, wie stark der erste gestoßen wird?'], curves: ['kinetic', 'contacts'], seconds: 3 },
  'windy-day': { ask: ['How far must a lantern lean until wind and weight balance?', 'Wie weit neigt sich eine Laterne, bis Wind und Gewicht sich die Waage halten?'], curves: ['body:lantern_0.x', 'body:lantern_0.y'], seconds: 4 },
  forces: { ask: ['The push grows evenly. Why does the crate start with a jerk?', 'Der Schub wächst gleichmäßig. Warum ruckt die Kiste an?'], curves: ['body:crate.speed', 'body:rocket.y'], seconds: 4 },
  'card-house': { ask: ['Friction alone holds it. What do cards of ice do?', 'Nur Reibung hält es. Was tun Karten aus Eis?'], curves: ['kinetic', 'penetration'], seconds: 2 },
  'free-top': { ask: ['Which axis tumbles, and what does the angular momentum do meanwhile?', 'Welche Achse taumelt, und was tut der Drehimpuls dabei?'], curves: ['body:middle moment/nut.wx', 'body:middle moment/nut.wy', 'body:middle moment/nut.wz'], seconds: 12 },
  incline: { ask: ['A slope of 20 degrees. Which friction is just enough to stay?', 'Ein Hang von 20 Grad. Welche Reibung reicht gerade, um zu bleiben?'], curves: ['body:ball.speed', 'body:drum.speed'], seconds: 1.5 },
};

export function makeQuestions(store: Store, editor: Editor, plots: { traces: string[]; set(all: string[]): void }) {
  const element = h('aside', { class: 'question', hidden: true, 'aria-label': t('question') });
  let shown = '';
  // The scene as the gallery has it is asked about; who goes on from it has questions of his own.
  function open(name: string) {
    const one = questions[name];
    shown = name;
    element.hidden = !one;
    if (!one) return;
    const button = (label: string, action: string, perform: () => void) => h('button', { type: 'button', 'data-do': action, onclick: perform }, label);
    element.replaceChildren(h('b', {}, '?'), h('span', {}, one.ask[languageCode() === 'de' ? 1 : 0]), button(t('show_me'), 'show', () => void answer(one)), h('button', { type: 'button', class: 'icon', 'aria-label': t('close'), onclick: () => (element.hidden = true) }, '×'));
  }
  async function answer(one: Question) {
    plots.set(one.curves);
    await editor.request('pause');
    if (one.until) await editor.request('until', one.until);
    else {
      const steps = Math.round((one.seconds ?? 1) / (store.state?.step_length ?? 1 / 60));
      for (let done = store.state?.end ?? 0; done < steps; done += 200) await editor.request('step', { count: Math.min(200, steps - done) });
    }
    // once it stands still
    for (let i = 0; store.running && i < 600; ++i) await new Promise((next) => setTimeout(next, 100));
    if (!store.syncs.some((s) => s.here && s.step === store.state?.step)) await editor.request('sync', { name: t('question') });
  }
  store.on('scene', () => {
    if (!element.hidden && store.scene!.name !== `${shown}.json`) element.hidden = true;
  });
  return { element, open };
}
