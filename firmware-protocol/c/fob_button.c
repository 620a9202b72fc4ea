#include "fob_button.h"

void fob_button_init(fob_button *button, bool closed, bool pressed, uint32_t time, uint64_t now) {
  button->time = time;
  button->in_force = time;
  button->count = pressed ? time : 0;
  button->unbroken = 0;
  button->is_pressed = pressed;
  button->closed = closed;
  button->closed_since_boot = closed && !pressed;
  button->since = now;
  button->left_rest = now;
}

uint64_t fob_button_wake(const fob_button *button) {
  if (button->closed == button->is_pressed) return UINT64_MAX;
  if (!button->closed) return button->since + button->count;
  uint32_t clean = button->in_force / 4 * 3;
  uint32_t left = clean > button->unbroken ? clean - button->unbroken : 0;
  uint32_t missing = button->in_force - button->count;
  return button->since + (left < missing ? left : missing);
}

static bool is_at_rest(const fob_button *button) {
  return button->is_pressed ? button->count >= button->in_force : button->count == 0;
}

static uint32_t grown(const fob_button *button, uint32_t count, uint64_t elapsed) {
  return elapsed < button->in_force - count ? count + (uint32_t)elapsed : button->in_force;
}

static bool advance(fob_button *button, uint64_t now, fob_button_change *change) {
  uint64_t goal = fob_button_wake(button);
  uint64_t elapsed = now > button->since ? now - button->since : 0;
  if (button->closed) {
    button->count = grown(button, button->count, elapsed);
    button->unbroken = grown(button, button->unbroken, elapsed);
  } else {
    button->count = elapsed < button->count ? button->count - (uint32_t)elapsed : 0;
  }
  if (now > button->since) button->since = now;
  if (goal == UINT64_MAX || goal > now) return false;
  button->is_pressed = button->closed;
  if (button->closed) button->count = button->in_force;
  change->pressed = button->is_pressed;
  change->at_boot = button->is_pressed && button->closed_since_boot;
  change->first_edge = button->left_rest;
  button->closed_since_boot = false;
  return true;
}

bool fob_button_input(fob_button *button, bool closed, uint64_t now, fob_button_change *change) {
  bool settled = advance(button, now, change);
  if (closed != button->closed) {
    button->closed = closed;
    button->unbroken = 0;
    if (is_at_rest(button)) {
      button->left_rest = now;
      button->in_force = button->time;
      button->count = button->is_pressed ? button->time : 0;
    }
  }
  if (!closed && !button->is_pressed) button->closed_since_boot = false;
  if (settled || button->in_force != 0) return settled;
  return advance(button, now, change);
}

void fob_button_clock_lost(fob_button *button, uint64_t lost) {
  button->since = button->since > lost ? button->since - lost : 0;
  button->left_rest = button->left_rest > lost ? button->left_rest - lost : 0;
}
