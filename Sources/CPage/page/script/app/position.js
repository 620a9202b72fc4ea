/** Degrees with seven decimals (R39), from units of 1e-7 degree. */
export function coordinates({ latitude, longitude }) {
  return `${(latitude / 1e7).toFixed(7)}, ${(longitude / 1e7).toFixed(7)}`;
}
