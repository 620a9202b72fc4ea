# What scripts/firmware.sh builds for the micro:bit, version 1: an nRF51822, a Cortex-M0.
folder=nrf5
processor=cortex-m0
parts=(Processor Devices Version1)
# In bytes, as in lm3s6965evb.sh. The text was to be 30,720, which the journal has missed: the code
# of a Cortex-M0 is a fifth larger than that of a Cortex-M3.
text_budget=32000
ram_budget=11776
# A pairing overruns 2,048 bytes, and QEMU ends.
stack=2560
