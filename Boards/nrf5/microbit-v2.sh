# What scripts/firmware.sh builds for the micro:bit, version 2: an nRF52833, a Cortex-M4. Not tested
# on hardware.
folder=nrf5
processor=cortex-m4
parts=(Processor Devices Version2)
text_budget=30720
ram_budget=11776
stack=2560
