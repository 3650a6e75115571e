// What lies over any view: the settings, when they are asked for.

class Overlay {
  settings = $state(false);
}

export const overlay = new Overlay();
